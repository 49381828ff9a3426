import { RecentMap } from '../../core/recentMap.ts';
import type { Json } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { firstFault, readForms } from '../grammar/readForms.ts';
import type { Said } from '../kernel/findings.ts';
import type { Owners } from '../world/owners.ts';
import { tellingIn, type AnswerAbout } from './indistinguishable.ts';
import type { UnknownIds } from './unknownIds.ts';

export const foreignRows = ['WCI-SCP-004', 'WCI-SCP-005'];

/** Answers that are further apart may be those of another release; milliseconds. */
const togetherMs = 60_000;
/** So many answers of each kind, in turns, that not even a one-bit value is the same by coincidence. */
const enough = 4;
const fewestTurns = 3;

interface Asked extends AnswerAbout {
  readonly isForeign: boolean;
}

/** Requests that differ in their id alone: a foreign record is answered like one that is missing. */
export class ForeignIds {
  readonly #asked = new RecentMap<string, readonly Asked[]>(200);
  readonly #owners: Owners;
  readonly #unknown: UnknownIds;

  constructor(owners: Owners, unknown: UnknownIds) {
    this.#owners = owners;
    this.#unknown = unknown;
  }

  judge(call: Call): readonly Said[] {
    const { enterprise, exchange: x, op } = call;
    const named = enterprise === null || !isRefused(call) ? null : idIn(call);
    if (enterprise === null || !named) return nothing;
    const { id, rest } = named;
    const isForeign = this.#owners.isForeign(enterprise, id);
    if (!isForeign && !this.#unknown.isMadeUp(id)) return nothing;
    const key = JSON.stringify([enterprise, op, call.carrier, typeof id, likenessOf(id), rest]);
    const since = x.timings.sent - togetherMs;
    const recent = (this.#asked.get(key) ?? []).filter((one) => one.x.timings.received > since);
    const asked = [...recent, { x, id, isForeign }].slice(-3 * enough);
    this.#asked.set(key, asked);
    const [mine, theirs] = [true, false].map((kind) => asked.filter((one) => one.isForeign === kind));
    if (!mine?.length || !theirs?.length) return nothing;
    const telling = tellingIn(mine, theirs);
    const rule = isFaulty(call) ? 'WCI-SCP-005' : 'WCI-SCP-004';
    if (telling === null) return [[rule, null]];
    const turns = asked.filter((one, at) => at > 0 && one.isForeign !== asked[at - 1]?.isForeign);
    const isSure = Math.min(mine.length, theirs.length) >= enough && turns.length >= fewestTurns;
    return isSure ? [[rule, telling]] : nothing;
  }
}

const nothing: readonly Said[] = Object.freeze([]);

/** A refusal that is about the record, and neither about the key nor on the way. */
function isRefused({ status }: Call): boolean {
  return status !== null && status >= 400 && status < 500 && status !== 401 && status !== 429;
}

const names = ['checkin_id', 'checkinId', 'webcheckin_id', 'booking_id'] as const;

/** The only id of a request, and what the request is without it. */
function idIn({ op, query, body }: Call): { readonly id: string | number; readonly rest: Json } | null {
  const sent = op === 'wci.status' ? query : op === 'wci.update' ? body : null;
  const [name, ...more] = names.filter((one) => sent?.[one] !== undefined);
  const id = name && sent?.[name];
  if (!sent || more.length > 0 || (typeof id !== 'string' && typeof id !== 'number')) return null;
  return { id, rest: { ...sent, [name ?? '']: null } };
}

/** What an id has in common with one that is made up after it: what stands before its last characters. */
function likenessOf(id: string | number): string {
  return String(id).replace(/[A-Za-z0-9]{1,12}(?=[^A-Za-z0-9]*$)/, '');
}

function isFaulty({ op, carrier, body }: Call): boolean {
  if (op !== 'wci.update' || !body || carrier === 'unread') return false;
  return firstFault(readForms(body, { operation: op, carrier })) !== null;
}
