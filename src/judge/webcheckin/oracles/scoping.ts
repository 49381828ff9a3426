import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { errorCode, describeResponse } from '../../kernel/answer.ts';
import { bodyOf, responseOf, type Json } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { shownRecords } from '../records.ts';
import { callOf } from '../../../trace/call.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** Which enterprise each checkin_id belongs to, as its accepted subscribe showed. */
type Owners = ReadonlyMap<string, string>;

/** Nothing of one enterprise is shown to, or can be reached by, another. */
export const scoping: Oracle = {
  id: 'scoping',
  title: 'No answer shows a record of another enterprise',
  verifies: [
    'WCI-SCP-001',
    'WCI-SCP-002',
    'WCI-SCP-003',
    'WCI-SCP-007',
    'WCI-SCP-008',
    'WCI-SCP-011',
    'WCI-SCP-013',
    'WCI-LST-023',
  ],
  operations: checkinOperations,
  createWatch: () => {
    const owners = new RecentMap<string, string>();
    const owning = new Set<string>();
    return {
      exchange: (exchange) => {
        const { enterprise, operation } = exchange;
        if (enterprise === null || !operation?.startsWith('wci.') || !responseOf(exchange)) return noSamples;
        if (claim(exchange, enterprise, owners)) owning.add(enterprise);
        const othersOwn = owning.size > (owning.has(enterprise) ? 1 : 0);
        return othersOwn ? judge(exchange, enterprise, owners) : noSamples;
      },
      forgotten: () => owners.forgotten,
    };
  },
};

/** Shorter ids may be running numbers of each enterprise, or mean something else in an answer. */
const distinctive = 8;

/** The first enterprise to which a subscribe returns a record owns it. */
function claim(exchange: Exchange, enterprise: string, owners: Map<string, string>): boolean {
  const id = subscribedId(exchange);
  if (typeof id !== 'string' || id.length < distinctive || owners.has(id)) return false;
  owners.set(id, enterprise);
  return true;
}

function subscribedId(exchange: Exchange): Json | undefined {
  return exchange.operation === 'wci.subscribe' ? shownRecords(exchange)[0]?.record.checkin_id : undefined;
}

function judge(exchange: Exchange, enterprise: string, owners: Owners): readonly Sample[] {
  const isForeign = (id: unknown) => typeof id === 'string' && (owners.get(id) ?? enterprise) !== enterprise;
  const requested = requestedRecord(exchange);
  if (requested && isForeign(requested.id)) return judgeReach(exchange, requested.requirement);
  const leaked = foreignValue(exchange, isForeign);
  const requirement = shownBy(exchange, isForeign);
  if (leaked !== null) {
    return [
      sampleOf(
        requirement,
        violated('leak', 'no data of another enterprise', `${leaked} of ${owners.get(leaked) ?? '?'}`),
      ),
    ];
  }
  const isList = exchange.operation === 'wci.list' && responseOf(exchange)?.status === 200;
  return isList ? [sampleOf(requirement, holds)] : noSamples;
}

interface RequestedRecord {
  readonly id: Json | undefined;
  readonly requirement: string;
}

/** The id that a request names a record by, where it names just one. */
function requestedRecord(exchange: Exchange): RequestedRecord | null {
  const call = callOf(exchange);
  if (call?.op === 'wci.status') {
    const { checkin_id: main, checkinId: alias } = call.query;
    if (main !== undefined && alias !== undefined && main !== alias) return null;
    return { id: main ?? alias, requirement: main === undefined ? 'WCI-SCP-013' : 'WCI-SCP-001' };
  }
  if (call?.op !== 'wci.update' || !call.body) return null;
  const { checkin_id: main, webcheckin_id: alias, booking_id: booking } = call.body;
  if (main !== undefined && alias !== undefined && main !== alias) return null;
  return { id: main ?? alias, requirement: booking === undefined ? 'WCI-SCP-002' : 'WCI-SCP-011' };
}

/** A request for a foreign record: an answer that finds it is a violation, 404 is right, and other refusals may have other reasons. */
function judgeReach(exchange: Exchange, requirement: string): readonly Sample[] {
  const status = responseOf(exchange)?.status;
  if (status === 404 && errorCode(exchange) === 'NOT_FOUND') return [sampleOf(requirement, holds)];
  if (status !== 200) return noSamples;
  return [
    sampleOf(
      requirement,
      violated('reached', 'HTTP 404 NOT_FOUND for a foreign record', describeResponse(exchange)),
    ),
  ];
}

/** The requirement that an answer breaks by showing a foreign record that was not asked for. */
function shownBy(exchange: Exchange, isForeign: (id: unknown) => boolean): string {
  const { operation } = exchange;
  if (operation === 'wci.list') return 'WCI-LST-023';
  if (operation === 'wci.status') return 'WCI-SCP-001';
  if (operation === 'wci.subscribe') return isForeign(subscribedId(exchange)) ? 'WCI-SCP-007' : 'WCI-SCP-008';
  return callOf(exchange)?.body?.booking_id === undefined ? 'WCI-SCP-002' : 'WCI-SCP-003';
}

/** A foreign id anywhere in the answer, but for an error that repeats what was asked for. */
function foreignValue(exchange: Exchange, isForeign: (id: unknown) => boolean): string | null {
  const response = responseOf(exchange);
  const body = response && bodyOf(response);
  if (body?.kind !== 'json') return null;
  const mayEcho = response !== null && response.status >= 400;
  const isLeak = (text: string) => isForeign(text) && !(mayEcho && isEcho(exchange, text));
  return findText(body.value, (text) => {
    if (text.length < distinctive) return null;
    return isLeak(text) ? text : (text.match(/[\w-]{8,}/g)?.find(isLeak) ?? null);
  });
}

function isEcho({ request }: Exchange, id: string): boolean {
  return (
    decodeURIComponentSafe(request.target).includes(id) ||
    (request.body !== null && Buffer.from(request.body).includes(id))
  );
}

function decodeURIComponentSafe(text: string): string {
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
