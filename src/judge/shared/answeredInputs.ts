import type { Exchange } from '../../core/evidence.ts';
import { firstFault, type Feature } from '../../spec/grammar/readForms.ts';
import * as is from '../../spec/kernel/value.ts';
import { responseOf } from '../../trace/body.ts';
import { errorCode, isRejectedMessage, responseValue } from '../kernel/answer.ts';
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
  const rules = features.flatMap(({ kind, rule }) => (kind === 'free' && rule !== null ? [rule] : []));
  const all = new Set(whole === undefined ? rules : [whole, ...rules]);
  return Array.from(all, (rule) => sampleOf(rule, holds));
}

/**
 * What must not be accepted in an accepted request. What comes before the search for a flight is not the reason why it is not found;
 * a callback may be looked at afterwards.
 */
export function faultTaken(exchange: Exchange, isFound: boolean): Feature | null {
  const isOfFlights = exchange.operation?.startsWith('fla.') === true;
  if (!isFound && !(isOfFlights && isSought(exchange))) return null;
  const { features = [], fault = null } = sentInputs(exchange) ?? {};
  const seen = isFound ? features : features.filter(({ at }) => !at.startsWith('callbackData'));
  const first = isFound ? fault : firstFault(seen);
  return first ?? (isOfFlights ? (seen.find(isDoubtful) ?? null) : null);
}

/** Readers differ, and the catalogue has it that it should be refused. */
function isDoubtful({ kind, rule }: Feature): boolean {
  return kind === 'open' && rule !== null;
}

export function accepted(exchange: Exchange, { rule, at, value }: Feature): Sample {
  const want = is.refusedFor(at, shownValue(at, value));
  return sampleOf(rule ?? '', differs('accepted', 'answer', want, responseValue(exchange)));
}

/** What the payload shows is refused as such; a journey may also be rejected. */
export function isRefusedFor(exchange: Exchange, { refusal }: Feature): boolean {
  return responseOf(exchange)?.status === 400 || (refusal === 'journey' && isRefusal(exchange));
}

/** Statuses of what the request itself is wrong with; what a journey can be refused for has a control of the same journey. */
export function isRefusal(exchange: Exchange): boolean {
  const status = responseOf(exchange)?.status;
  if (conflicts.has(errorCode(exchange) ?? '')) return false;
  return (
    status === 400 ||
    (exchange.operation === 'wci.subscribe' && (status === 422 || isRejectedMessage(exchange)))
  );
}
