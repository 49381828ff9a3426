import type { Json, JsonObject } from '../../trace/body.ts';
import { textOf } from '../grammar/form.ts';
import { equalField } from '../kit/equalField.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import * as is from '../kernel/value.ts';
import type { Said } from '../kernel/findings.ts';
import type { History } from '../world/histories.ts';
import { settleMs } from '../world/listings.ts';
import type { Sight } from '../world/sights.ts';
import { clockSlackMs } from '../world/toldChanges.ts';
import { broken } from './recordForms.ts';

type Say = (said: Said) => void;

/** Reads that come so soon after each other show what reading does, in milliseconds. */
const soonMs = 2_000;
/** Somebody else may touch a record now and then; what reading does shows at each of so many reads. */
const mostMoves = 3;
/** What a status shows of the state of a record. */
const state = ['status', 'sub_status', 'missing_info'] as const;

export const stateRows = ['WCI-STS-002', 'WCI-STS-008', 'WCI-STS-009', 'WCI-STS-011', 'WCI-STS-013'];

/** Something that a list or the alias shows otherwise than the status before. */
interface Odd {
  readonly sight: Sight;
  readonly rule: string;
  readonly member: string;
}

interface Told {
  readonly sight: Sight;
  /** When its state was shown first. */
  readonly since: number;
  /** How many reads in a row moved last_updated, and nothing else. */
  readonly moves: number;
  odd: readonly Odd[];
}

/** What a status shows before and after, a list and the alias in between show as well; and reading changes nothing. */
export class SameStates {
  readonly #told = new WeakMap<History, Told>();

  judge(sight: Sight, history: History, say: Say): void {
    const told = this.#told.get(history);
    if (sight.by === 'status') this.#told.set(history, judgeRead(sight, told, say));
    else if (sight.by === 'subscribe' || sight.by === 'update') this.#told.delete(history);
    else if (told) judgeOther(sight, told, history, say);
  }
}

function judgeRead(sight: Sight, before: Told | undefined, say: Say): Told {
  const start: Told = { sight, since: sight.exchange.timings.received, moves: 0, odd: [] };
  if (!before || !isSame(before.sight.record, sight.record)) return start;
  const gapMs = sight.exchange.timings.sent - before.sight.exchange.timings.received;
  if (sight.record.last_updated !== before.sight.record.last_updated) {
    const moves = gapMs < soonMs ? before.moves + 1 : 0;
    const want = is.noted(is.value(before.sight.record.last_updated), 'as before, like all else');
    if (moves >= mostMoves) say(broken(sight, 'WCI-STS-009', 'last_updated', want));
    return { ...start, moves };
  }
  say(['WCI-STS-009', null]);
  for (const { sight: odd, rule, member } of before.odd)
    say(
      broken(
        odd,
        rule,
        member,
        is.noted(is.value(sight.record[member]), 'as the status shows before and after'),
        {
          because: [before.sight.exchange, sight.exchange, odd.exchange],
        },
      ),
    );
  return { ...before, sight, moves: 0, odd: [] };
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return state.every((member) => equalField(member, one[member], other[member]));
}

function judgeOther(sight: Sight, told: Told, history: History, say: Say): void {
  const { record } = told.sight;
  const isOld = isTooOld(sight, told, history) ? 'last_updated' : undefined;
  const lost = sight.by === 'alias' ? (lostBy(sight.record, record) ?? isOld) : undefined;
  if (lost === undefined && sight.record.last_updated !== record.last_updated) return;
  const member =
    lost ?? state.find((one) => isOther(one, sight.record[one], record[one])) ?? passesOf(sight, record);
  const rule = sight.by === 'alias' ? 'WCI-STS-002' : ruleOf(member, sight.record, record);
  if (member === undefined) say([rule, null]);
  else if (lost !== undefined || isOfOneTime(sight, told))
    told.odd = [...told.odd, { sight, rule, member }].slice(-5);
}

/** Another last_updated than the one that was shown for long, or one from before the first. */
function isTooOld({ record, exchange }: Sight, { sight, since }: Told, { first }: History): boolean {
  const [at, told] = [record, sight.record].map(({ last_updated: one }) => parseTimestamp(one));
  if (at == null || told == null || at >= told - clockSlackMs) return false;
  return exchange.timings.sent >= since + settleMs || (first !== null && at < first - clockSlackMs);
}

/** The same last_updated is that of the same state; one of whole seconds only where that was shown long before. */
function isOfOneTime({ record, exchange }: Sight, { since }: Told): boolean {
  const at = parseTimestamp(record.last_updated);
  return at !== null && (at % 1000 !== 0 || exchange.timings.sent >= since + settleMs);
}

/** A value of another type breaks a rule of its own. */
function isOther(member: string, one: Json | undefined, other: Json | undefined): boolean {
  const isOfType = member === 'missing_info' ? Array.isArray : (value: unknown) => typeof value === 'string';
  return isOfType(one) && isOfType(other) && !equalField(member, one, other);
}

/** A member that a read by the id has, and one by the alias has not. */
function lostBy(alias: JsonObject, { last_updated: at, ...members }: JsonObject): string | undefined {
  if (alias.status !== members.status) return undefined;
  const names = [...state, 'checkin_message', 'booking_id', 'checkin_id', 'boarding_passes'];
  if (at !== undefined && alias.last_updated === undefined) return 'last_updated';
  return names.find((name) => members[name] !== undefined && alias[name] === undefined);
}

/** A list has as many passes of what is completed, and their URLs as they are. */
function passesOf({ by, record }: Sight, { status, boarding_passes: told }: JsonObject): string | undefined {
  if (by !== 'list' || status !== 'COMPLETED' || !Array.isArray(told) || told.length === 0) return undefined;
  const shown = Array.isArray(record.boarding_passes) ? (record.boarding_passes as readonly Json[]) : [];
  const isEscaped = (one: Json) =>
    typeof one === 'string' && !told.includes(one) && told.includes(one.replaceAll('&amp;', '&'));
  return shown.length === told.length && !shown.some(isEscaped) ? undefined : 'boarding_passes';
}

function ruleOf(member: string | undefined, ...shown: readonly JsonObject[]): string {
  const has = (...wanted: readonly string[]) => shown.some(({ status }) => wanted.includes(textOf(status)));
  if (member === 'boarding_passes') return 'WCI-STS-011';
  if (member !== 'status') return 'WCI-STS-008';
  if (shown.at(-1)?.status === 'COMPLETED') return 'WCI-STS-011';
  if (has('IN_PROGRESS', 'FAILED')) return 'WCI-STS-013';
  return has('COMPLETED') ? 'WCI-STS-011' : 'WCI-STS-008';
}
