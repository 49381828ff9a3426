import type { Exchange } from '../../core/evidence.ts';
import { combinedRules } from '../../spec/grammar/clock.ts';
import { firstFault, readForms, type Feature } from '../../spec/grammar/readForms.ts';
import * as is from '../../spec/kernel/value.ts';
import { objectOf, responseOf } from '../../trace/body.ts';
import {
  answeredOtherwise,
  dueAnswer,
  errorCode,
  invalid,
  isRejectedMessage,
  responseValue,
} from '../kernel/answer.ts';
import { differs, holds } from '../kernel/judgement.ts';
import { type Sample, sampleOf } from '../kernel/sample.ts';
import { isSought, sentInputs, shownValue, type SentInputs } from './sentInputs.ts';

/** By operation and carrier: what a request of it breaks that is refused although everything in it was accepted in another one. */
export const wholeRows: Readonly<Record<string, string>> = {
  'wci.subscribe json': 'WCI-SUB-001',
  'wci.subscribe multipart': 'WCI-MP-001',
  'wci.update json': 'WCI-UPD-001',
  'wci.update multipart': 'WCI-MP-012',
  'fla.lookup query': 'FLA-GET-001',
  'fla.subscribe json': 'FLA-SUB-003',
};

/** Codes that call a request valid but in conflict with another one, with any status. */
const conflicts: ReadonlySet<string> = new Set([
  'CALLBACK_ALREADY_REGISTERED',
  'EXTERNAL_FID_ALREADY_REGISTERED',
  'AMBIGUOUS_FLIGHT',
]);

/** The rules that an accepted request shows kept: all that speak of what is allowed in it. */
export function keptIn({ asked, features }: SentInputs): readonly Sample[] {
  const whole = wholeRows[`${asked.operation} ${asked.carrier}`];
  const rules = features.flatMap((one) =>
    one.kind === 'free' && one.rule !== null ? [one.rule, ...combinedRules(one)] : [],
  );
  const odd = features.some(isOddName) ? ['WCI-SUB-080'] : [];
  const typed = asked.operation === 'wci.subscribe' && asked.carrier === 'json' ? ['WCI-SUB-060'] : [];
  const all = new Set([...(whole === undefined ? [] : [whole]), ...rules, ...odd, ...typed]);
  return Array.from(all, (rule) => sampleOf(rule, holds));
}

/** What an answer shows of a request whose flight was searched for: its number and its date passed validation. */
export function keptBySearch({ features }: SentInputs): readonly Sample[] {
  const rules = features.flatMap(({ kind, rule }) => (kind === 'free' && rule !== null ? [rule] : []));
  return Array.from(new Set(rules.filter(isOfForm)), (rule) => sampleOf(rule, holds));
}

const isOfForm = (rule: string) => rule === 'FLA-GET-020' || rule === 'FLA-GET-038';

/** A name of which it is open whether it is accepted: it is so, or refused. */
export function isOddName({ name, kind, value }: Feature): boolean {
  return kind === 'open' && name.endsWith('name-unusual') && !/\0|\p{Cs}/u.test(String(value));
}

/** What is in conflict with what is registered is no reason to call it invalid; the rest of it may not have been looked at. */
export function keptByConflict(exchange: Exchange, { asked, features }: SentInputs): readonly Sample[] {
  const isConflict = responseOf(exchange)?.status === 409 && conflicts.has(errorCode(exchange) ?? '');
  if (!isConflict || asked.operation !== 'fla.subscribe') return [];
  const own = features.filter(({ at, kind }) => kind === 'free' && at.startsWith('callbackData'));
  return Array.from(new Set(own.flatMap(({ rule }) => rule ?? [])), (rule) => sampleOf(rule, holds));
}

/**
 * What must not be accepted in an accepted request. What comes before the search for a flight is not the reason why it is not found;
 * a callback may be looked at afterwards.
 */
export function faultTaken(exchange: Exchange, isFound: boolean): Feature | null {
  const isOfFlights = exchange.operation?.startsWith('fla.') === true;
  if (!isFound && !(isOfFlights && isSought(exchange))) return null;
  const sent = sentInputs(exchange);
  if (!sent || isFound) return sent && (faultOrDoubt(sent) ?? faultOfPart(exchange, sent));
  const seen = sent.features.filter(({ at }) => !at.startsWith('callbackData'));
  return firstFault(seen) ?? seen.find(isDoubtful) ?? null;
}

/** Whether a part with the type is read is open, but for an answer that gives it. */
function faultOfPart(exchange: Exchange, { asked, members }: SentInputs): Feature | null {
  const isPnr = asked.operation === 'wci.update' && members.type === 'pnr';
  const isRead = isPnr && asked.carrier === 'multipart' && objectOf(exchange)?.type === 'pnr';
  return isRead ? firstFault(readForms(members, { ...asked, carrier: 'json' })) : null;
}

/** What a request has to be refused for, by the likelier reading at least. */
export function faultOrDoubt({ fault, features }: SentInputs): Feature | null {
  return fault ?? features.find(isDoubtful) ?? null;
}

/** Readers differ, and the catalogue has it that it should be refused. */
export function isDoubtful({ kind, rule }: Feature): boolean {
  return kind === 'open' && rule !== null;
}

/** Whether a subscribe was recognised as an earlier one, which need not be looked at any further. */
export function isRepeat(exchange: Exchange): boolean {
  const isOk = exchange.operation === 'wci.subscribe' && responseOf(exchange)?.status === 200;
  return isOk && objectOf(exchange)?.message === 'ALREADY_SUBSCRIBED';
}

export function accepted(exchange: Exchange, { rule, at, value }: Feature): Sample {
  const want = is.refusedFor(at, shownValue(at, value));
  return sampleOf(rule ?? '', differs('accepted', 'answer', want, responseValue(exchange)));
}

/** What the payload alone shows is refused as such, before a journey is looked at. */
export function rejectedLate(exchange: Exchange): Sample | null {
  const status = responseOf(exchange)?.status;
  const fault = status === 422 || isRejectedMessage(exchange) ? sentInputs(exchange)?.fault : null;
  if (exchange.operation !== 'wci.subscribe' || fault?.refusal !== 'payload') return null;
  return sampleOf(fault.rule, answeredOtherwise(exchange, dueAnswer(invalid), 'late'));
}

/** What the payload shows is refused as such; a journey may also be rejected. */
export function isRefusedFor(exchange: Exchange, { kind, refusal }: Feature): boolean {
  const isEither = refusal === 'journey' || kind === 'open';
  return responseOf(exchange)?.status === 400 || (isEither && isRefusal(exchange));
}

/** Statuses of what the request itself is wrong with; what a journey can be refused for has a control of the same journey. */
export function isRefusal(exchange: Exchange): boolean {
  const status = responseOf(exchange)?.status;
  if (conflicts.has(errorCode(exchange) ?? '')) return false;
  return (
    status === 400 ||
    // How a deployment may say that it takes no parts.
    (status === 415 && exchange.operation?.startsWith('wci.') === true) ||
    (exchange.operation === 'wci.subscribe' && (status === 422 || isRejectedMessage(exchange)))
  );
}
