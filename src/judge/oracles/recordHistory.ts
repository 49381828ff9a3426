import type { Exchange } from '../../core/evidence.ts';
import { headerOf, responseOf } from '../body.ts';
import type { Oracle, OracleJudgement } from '../oracle.ts';
import { place, shownRecords, type ShownRecord } from '../records.ts';
import { breaks, keeps, undecided } from '../sample.ts';
import { parseTimestamp } from '../timestamp.ts';

/** What is remembered of a record. */
interface Memory {
  createdAt: number | null;
  /** The latest last_updated, and when the answer that showed it first had been received. */
  lastUpdated: number | null;
  knownSince: number;
  /** The deployment's time at its creation, where this run created it. */
  expectedCreation: number | null;
}

/** The timestamps of one record over all answers that show it. */
export const recordHistory: Oracle = {
  id: 'record-history',
  title: 'created_at is the creation and never changes, last_updated never goes back',
  verifies: ['WCI-LST-027', 'WCI-DT-028', 'WCI-DT-029'],
  createOracle: () => {
    const memories = new Map<string, Memory>();
    const clock: ClockTrust = { wasRight: false };
    return (exchange) =>
      shownRecords(exchange).flatMap((shown) => {
        const memory = memoryOf(memories, exchange, shown);
        return memory ? judgeRecord(exchange, shown, memory, clock) : [];
      });
  },
};

function memoryOf(
  memories: Map<string, Memory>,
  { enterprise }: Exchange,
  { record }: ShownRecord,
): Memory | null {
  const id = record.checkin_id;
  if (enterprise === null || typeof id !== 'string') return null;
  const name = `${enterprise}/${id}`;
  let memory = memories.get(name);
  if (!memory) {
    memory = { createdAt: null, lastUpdated: null, knownSince: 0, expectedCreation: null };
    memories.set(name, memory);
  }
  return memory;
}

function judgeRecord(
  exchange: Exchange,
  shown: ShownRecord,
  memory: Memory,
  clock: ClockTrust,
): readonly OracleJudgement[] {
  const createdAt = parseTimestamp(shown.record.created_at);
  const lastUpdated = parseTimestamp(shown.record.last_updated);
  if (shown.by === 'subscribe' && shown.record.message === 'SCHEDULED')
    memory.expectedCreation ??= serverTime(exchange);
  const samples: OracleJudgement[] = [];
  if (createdAt !== null) {
    if (memory.createdAt !== null) samples.push(judgeConstancy(shown, createdAt, memory.createdAt));
    else if (memory.expectedCreation !== null && shown.by === 'list') {
      samples.push(judgeCreation(shown, createdAt - memory.expectedCreation, clock));
    }
    memory.createdAt ??= createdAt;
  }
  if (lastUpdated !== null) samples.push(...judgeUpdated(exchange, shown, lastUpdated, memory));
  return samples;
}

function judgeConstancy(shown: ShownRecord, createdAt: number, before: number): OracleJudgement {
  if (createdAt === before) return keeps('WCI-LST-027');
  return breaks(
    'WCI-LST-027',
    'changed',
    `created_at is ${iso(before)}, as before`,
    `${place(shown, 'created_at')} is ${iso(createdAt)}`,
  );
}

/** Against created_at of the same answer or of an earlier one, and against what an earlier answer had shown. */
function judgeUpdated(
  exchange: Exchange,
  shown: ShownRecord,
  value: number,
  memory: Memory,
): readonly OracleJudgement[] {
  const actual = `${place(shown, 'last_updated')} is ${iso(value)}`;
  const { createdAt, lastUpdated, knownSince } = memory;
  const isLater = lastUpdated !== null && exchange.timings.sent > knownSince;
  if (lastUpdated === null || value > lastUpdated) {
    memory.lastUpdated = value;
    memory.knownSince = exchange.timings.received;
  }
  if (createdAt !== null && value < createdAt) {
    return [
      breaks('WCI-DT-029', 'before-creation', `a time not before created_at, ${iso(createdAt)}`, actual),
    ];
  }
  if (isLater && value < lastUpdated) {
    return [
      breaks(
        'WCI-DT-029',
        'backwards',
        `a time not before the ${iso(lastUpdated)} of an earlier answer`,
        actual,
      ),
    ];
  }
  return createdAt === null && !isLater ? [] : [keeps('WCI-DT-029')];
}

/** Whether a created_at of this run has agreed with the Date headers: then a later step ahead is a clock that was moved. */
interface ClockTrust {
  wasRight: boolean;
}

const minute = 60_000;
const quarter = 15 * minute;
const drift = 20 * minute;

/** Clocks drift by minutes; local time that is passed off as UTC is wrong by a timezone's offset. */
function judgeCreation(shown: ShownRecord, deviation: number, clock: ClockTrust): OracleJudgement {
  if (Math.abs(deviation) <= drift) {
    clock.wasRight = true;
    return keeps('WCI-DT-028');
  }
  const minutes = Math.round(deviation / minute);
  const actual = `${place(shown, 'created_at')} is ${minutes} minutes off`;
  const isZone =
    Math.abs(deviation) <= 14 * 60 * minute + drift &&
    Math.abs(deviation - Math.round(deviation / quarter) * quarter) <= 5 * minute;
  const mayBeMoved = deviation > 0 && (clock.wasRight || !isZone);
  if (mayBeMoved || !isZone)
    return undecided('WCI-DT-028', `${actual}: the clock may have been moved or be wrong`);
  return breaks(
    'WCI-DT-028',
    'timezone',
    'the UTC instant of the creation, as the Date header tells it',
    actual,
  );
}

/** The deployment's own clock when it answered; ours where it does not tell. */
function serverTime(exchange: Exchange): number {
  const response = responseOf(exchange);
  const date = Date.parse((response && headerOf(response, 'date')) ?? '');
  return Number.isNaN(date) ? exchange.timings.receivedAt : date;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
