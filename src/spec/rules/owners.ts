import { dateOf, isObject, memberOf, responseOf, type Json } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { distinctive, type Owners } from '../world/owners.ts';
import { nameOf } from '../world/writes.ts';
import { answerOf, codeOf } from './suspect.ts';

export const ownerRows = [
  ...[
    'WCI-STS-001',
    'WCI-STS-002',
    'WCI-STS-004',
    'WCI-UPD-044',
    'WCI-LST-023',
    'WCI-MP-019',
    'WCI-SCP-001',
    'WCI-SCP-002',
  ],
  ...['WCI-SCP-003', 'WCI-SCP-007', 'WCI-SCP-008', 'WCI-SCP-010', 'WCI-SCP-011', 'WCI-SCP-012'],
  ...['WCI-SCP-013', 'WCI-SCP-014'],
];

/** Nothing of one enterprise is shown to, or can be reached by, another; and an enterprise finds what it was shown. */
export function judgeOwners(call: Call, owners: Owners): readonly Said[] {
  const { enterprise, status } = call;
  if (enterprise === null || status === null) return nothing;
  if (status === 200) return [...judgeFound(call, owners), ...judgeForeign(call, enterprise, owners)];
  if (status === 404 || status === 400) {
    const own = [...judgeOwn(call, owners), ...judgeUnknown(call, enterprise, owners)];
    if (own.length > 0) return own;
  }
  return judgeForeign(call, enterprise, owners);
}

/** An own record was found by its id: by a status, or by an update with another key than the one that made it. */
function judgeFound(call: Call, owners: Owners): readonly Said[] {
  const named = call.op === 'wci.list' ? null : namedIn(call);
  const by = named && owners.shownTo(call.enterprise, named.id);
  if (!named || !by || call.exchange.timings.sent < by.timings.received) return nothing;
  if (call.op === 'wci.update') return by.key === call.exchange.key ? nothing : [[named.own, null]];
  return ownRows(named, call, by, owners).map((rule) => [rule, null]);
}

/** The sentences by which an enterprise finds its record, whichever of its keys has made it. */
function ownRows({ own }: Named, call: Call, by: Call['exchange'], owners: Owners): readonly string[] {
  if (call.op === 'wci.update' || by.key === call.exchange.key) return [own];
  return [own, owners.isRevoked(by.key) ? 'WCI-SCP-012' : 'WCI-SCP-010'];
}

/** What a clientId in callbackData says does not matter. */
function rowsOfMaker(by: Call['exchange']): readonly string[] {
  const callback = callOf(by)?.body?.callbackData;
  return isObject(callback) && callback.clientId !== undefined ? ['WCI-SCP-014'] : [];
}

const nothing: readonly Said[] = Object.freeze([]);

/** What a request names a record by. */
interface Named {
  readonly id: Json | undefined;
  /** By an id alone, so that nothing else can be why it is not found. */
  readonly isAlone: boolean;
  /** The sentence about a foreign record, and about one's own. */
  readonly foreign: string;
  readonly own: string;
}

/** Null where a request names none, or several. */
function namedIn({ op, query, body, carrier }: Call): Named | null {
  if (op === 'wci.status') {
    const { checkin_id: main, checkinId: alias, ...more } = query;
    const isAlone = (main === undefined || alias === undefined) && Object.keys(more).length === 0;
    if (main !== undefined && alias !== undefined && main !== alias) return null;
    return main === undefined
      ? { id: alias, isAlone, foreign: 'WCI-SCP-013', own: 'WCI-STS-002' }
      : { id: main, isAlone, foreign: 'WCI-SCP-001', own: 'WCI-STS-001' };
  }
  if (op !== 'wci.update' || !body) return null;
  const { checkin_id: main, webcheckin_id: alias, booking_id: booking } = body;
  if (main !== undefined && alias !== undefined && main !== alias) return null;
  // What is read of the parts of an update is open, but for passengers and payload.
  const isAlone =
    carrier !== 'multipart' && booking === undefined && (main === undefined || alias === undefined);
  return { id: main ?? alias, isAlone, foreign: ruleOfUpdate(carrier, booking), own: 'WCI-UPD-044' };
}

/** A foreign id beside a booking_id, or in parts, has a sentence of its own. */
function ruleOfUpdate(carrier: Call['carrier'], booking: unknown): string {
  if (booking !== undefined) return 'WCI-SCP-011';
  return carrier === 'multipart' ? 'WCI-MP-019' : 'WCI-SCP-002';
}

/** Whoever was given an id finds its record from then on. */
function judgeOwn(call: Call, owners: Owners): readonly Said[] {
  const named = namedIn(call);
  const by = named?.isAlone ? owners.shownTo(call.enterprise, named.id) : null;
  if (!named || !by || call.exchange.timings.sent < by.timings.received || !isKept(call, by)) return nothing;
  if (call.op === 'wci.status' && owners.isPerhapsLate(named.id, call.exchange.timings.sent)) return nothing;
  // An update that is malformed otherwise is not judged.
  if (call.status === 400 && named.own === 'WCI-UPD-044') return nothing;
  const want = is.text('the record to be found');
  const wrong = { code: 'lost', at: 'answer', want, got: answerOf(call), because: [by, call.exchange] };
  return ownRows(named, call, by, owners).map((rule) => [rule, wrong]);
}

/** A status of what names nothing is not found; neither is one of a booking number, which may be refused as well. */
function judgeUnknown(call: Call, enterprise: string, owners: Owners): readonly Said[] {
  if (call.op !== 'wci.status') return nothing;
  const { checkin_id: main, checkinId: alias, booking_id: number } = call.query;
  if (main === undefined && alias === undefined && call.status === 404 && codeOf(call) === 'NOT_FOUND') {
    const want = is.refusal(400, 'VALIDATION_ERROR', 'without a checkin_id');
    const rule = number === undefined ? 'WCI-STS-003' : 'WCI-STS-010';
    return [[rule, { code: 'no-id', at: 'answer', want, got: answerOf(call), because: [call.exchange] }]];
  }
  const named = Object.keys(call.query).length === 1 ? namedIn(call) : null;
  if (typeof named?.id !== 'string' || named.id.trim() === '' || !owners.isUnknown(named.id)) return nothing;
  if (owners.isNumber(enterprise, named.id)) return [['WCI-STS-010', null]];
  if (call.status === 404) return codeOf(call) === 'NOT_FOUND' ? [['WCI-STS-004', null]] : nothing;
  if (!owners.isLikeOthers(enterprise, named.id)) return nothing;
  const want = is.refusal(404, 'NOT_FOUND', 'for an id like others that names nothing');
  return [
    ['WCI-STS-004', { code: 'unknown', at: 'answer', want, got: answerOf(call), because: [call.exchange] }],
  ];
}

/** A record may be deleted long after it was made, by the deployment's own time, which may be moved. */
const keptMs = 12 * 3_600_000;

function isKept({ exchange }: Call, by: Call['exchange']): boolean {
  const [now, then] = [exchange, by].map((one) => {
    const response = responseOf(one);
    return response && dateOf(response);
  });
  return now != null && then != null && Math.abs(now - then) < keptMs;
}

function judgeForeign(call: Call, enterprise: string, owners: Owners): readonly Said[] {
  const named = namedIn(call);
  const maker = named && owners.foreign(enterprise, named.id);
  if (named && maker) return judgeReach(call, named, maker);
  // A number or a short id may be one of the own enterprise as well, which is found.
  const number = named && nameOf(named.id ?? call.body?.booking_id);
  const numbered = call.status === 200 ? null : owners.foreignNumber(enterprise, number ?? undefined);
  if (named && numbered) {
    const foreign = named.id === undefined ? 'WCI-SCP-003' : named.foreign;
    return judgeReach(call, { ...named, foreign, isAlone: false }, numbered);
  }
  if (!owners.areOthersBeside(enterprise)) return nothing;
  const leaked = foreignIdIn(call, (id) => owners.foreign(enterprise, id) !== null);
  const rule = sentenceOf(call, enterprise, owners);
  if (leaked === null) return call.op === 'wci.list' && call.status === 200 ? [[rule, null]] : nothing;
  const by = owners.foreign(enterprise, leaked);
  const want = is.text('no data of another enterprise');
  const got = is.text(`${leaked} of ${by?.enterprise ?? '?'}`);
  return [[rule, { code: 'leak', at: 'answer', want, got, because: [...(by ? [by] : []), call.exchange] }]];
}

/** An answer that finds or knows a foreign record is a violation, 404 is right, and other refusals may have other reasons. */
function judgeReach(call: Call, named: Named, by: Call['exchange']): readonly Said[] {
  const rules = [named.foreign, ...(named.id === undefined ? [] : rowsOfMaker(by))];
  // Beside a booking of one's own, a foreign id may be a contradiction.
  const isMixed = named.foreign === 'WCI-SCP-011' && call.status === 400;
  if (isMixed || (call.status === 404 && codeOf(call) === 'NOT_FOUND'))
    return rules.map((rule) => [rule, null]);
  if (call.status !== 200 && !isTelling(call, named)) return nothing;
  const want = is.refusal(404, 'NOT_FOUND', 'for a foreign record');
  const wrong = { code: 'reached', at: 'answer', want, got: answerOf(call), because: [by, call.exchange] };
  return rules.map((rule) => [rule, wrong]);
}

/** Whether a refusal of the API itself says that there is a record: it is forbidden, or in a state. A booking of the own enterprise may be. */
function isTelling(call: Call, { isAlone }: Named): boolean {
  const { op, status, answer } = call;
  if (!isObject(answer)) return false;
  if (status === 403) return true;
  const isRejected = status === 422 && codeOf(call) === 'REJECTED';
  return isAlone && (status === 409 || (op === 'wci.status' ? status === 400 : isRejected));
}

/** The sentence that an answer breaks by showing a foreign record that was not asked for. */
function sentenceOf({ op, body, exchange }: Call, enterprise: string, owners: Owners): string {
  if (op === 'wci.list') return 'WCI-LST-023';
  if (op === 'wci.status') return 'WCI-SCP-001';
  if (op === 'wci.update') return body?.booking_id === undefined ? 'WCI-SCP-002' : 'WCI-SCP-003';
  return owners.foreign(enterprise, memberOf(exchange, 'checkin_id')) ? 'WCI-SCP-007' : 'WCI-SCP-008';
}

/** A foreign id anywhere in the answer, but for an error that repeats what was asked for. */
function foreignIdIn(call: Call, isForeign: (id: string) => boolean): string | null {
  const mayEcho = (call.status ?? 0) >= 400;
  const isLeak = (text: string) => isForeign(text) && !(mayEcho && isEcho(call, text));
  return findText(call.answer, (text) => {
    if (text.length < distinctive) return null;
    return isLeak(text) ? text : (text.match(/[\w-]{8,}/g)?.find(isLeak) ?? null);
  });
}

function isEcho({ exchange: { request } }: Call, id: string): boolean {
  return (
    decoded(request.target).includes(id) || (request.body !== null && Buffer.from(request.body).includes(id))
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findText(value: Json | undefined, find: (text: string) => string | null): string | null {
  if (typeof value === 'string') return find(value);
  if (typeof value !== 'object' || value === null) return null;
  for (const member of Object.values(value) as (Json | undefined)[]) {
    const found = findText(member, find);
    if (found !== null) return found;
  }
  return null;
}
