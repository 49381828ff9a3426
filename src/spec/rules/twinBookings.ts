import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type Json } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { isLocator } from './refusals.ts';

/** A booking that several enterprises subscribe is one attempt for each of them, and new to each. */
export class TwinBookings {
  /** The subscribe that was the first of all to make a booking, by its locator, which is drawn at random. */
  readonly #made = new RecentMap<string, Exchange>(1_000);
  readonly #sent = new RecentMap<string, true>();
  /** Whether nobody else subscribes for the enterprises. */
  readonly #isAlone: boolean;

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone;
  }

  judge({ op, body, enterprise, exchange, answer, status }: Call): readonly Said[] {
    const pnr = op === 'wci.subscribe' ? body?.pnr : undefined;
    if (!isLocator(pnr) || enterprise === null) return nothing;
    const mine = `${enterprise} ${pnr}`;
    const isNew = this.#isAlone && this.#sent.forgotten === 0 && !this.#sent.has(mine);
    this.#sent.set(mine, true);
    if (status !== 200 || !isObject(answer)) return nothing;
    const first = this.#made.get(pnr);
    if (!first && answer.message === 'SCHEDULED') this.#made.set(pnr, exchange);
    if (!first || !isSame(first, exchange)) return nothing;
    const isOwn = idOf(first) !== answer.checkin_id;
    const said: Said[] = isOwn ? [['WCI-SCP-007', null]] : [];
    if (answer.message === 'SCHEDULED') return [...said, ['WCI-SCP-008', null]];
    if (answer.message !== 'ALREADY_SUBSCRIBED' || !isNew) return said;
    const want = is.noted(is.value('SCHEDULED'), 'as for a booking that no other enterprise has');
    const got = is.value(answer.message);
    return [...said, ['WCI-SCP-008', { code: 'leak', at: 'message', want, got, because: [first, exchange] }]];
  }
}

const nothing: readonly Said[] = Object.freeze([]);

/** Whether another enterprise sends the same booking once that is made. */
function isSame(first: Exchange, later: Exchange): boolean {
  if (first.enterprise === later.enterprise || later.timings.sent < first.timings.received) return false;
  const [one, other] = [first, later].map((x) => callOf(x)?.body);
  return isDeepStrictEqual([one?.flights, one?.passengers], [other?.flights, other?.passengers]);
}

function idOf(first: Exchange): Json | undefined {
  const answer = callOf(first)?.answer;
  return isObject(answer) ? answer.checkin_id : undefined;
}
