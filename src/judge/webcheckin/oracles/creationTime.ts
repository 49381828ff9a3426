import type { Exchange } from '../../../core/evidence.ts';
import { dateOf, responseOf } from '../../kernel/body.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { place, type ShownRecord } from '../records.ts';

/** When a record was created, in epoch milliseconds, by each clock that may have told it. */
export interface Creation {
  /** By the `Date` header of the answer; null where it has none. */
  readonly byItsClock: number | null;
  readonly byOurs: number;
  /** By our clock, moved as the deployment's state handler moved that of the deployment. */
  readonly byMoved: number;
}

/** The time of the answer to the subscribe that created a record. */
export function creationOf(exchange: Exchange, movedMs: number): Creation {
  const response = responseOf(exchange);
  const byOurs = exchange.timings.receivedAt;
  return { byItsClock: response && dateOf(response), byOurs, byMoved: byOurs + movedMs };
}

/** Whether a created_at of this run has been right: a later step ahead is then a clock that a state handler moved. */
export interface ClockTrust {
  wasRight: boolean;
}

const minute = 60_000;
const drift = 20 * minute;

/**
 * Clocks drift by minutes; local time that is presented as UTC is wrong by the offset of a timezone. If the header, our clock
 * and what the state handler did contradict each other, any may be wrong: a time that agrees with one of them is right.
 */
export function judgeCreation(
  shown: ShownRecord,
  createdAt: number,
  { byItsClock, byOurs, byMoved }: Creation,
  trust: ClockTrust,
): Sample {
  const deviations = [byItsClock ?? byOurs, byOurs, byMoved].map((instant) => createdAt - instant);
  if (deviations.some((deviation) => Math.abs(deviation) <= drift)) {
    trust.wasRight = true;
    return sampleOf('WCI-DT-028', holds);
  }
  const [byHeader = 0, , byBook = 0] = deviations;
  const actual = `${place(shown, 'created_at')} is ${Math.round(byHeader / minute)} minutes off`;
  const mayBeMoved = byHeader > 0 && (trust.wasRight || byItsClock === null);
  if (!mayBeMoved && [byHeader, byBook].some(isZoneOffset)) {
    const expected = 'the UTC instant of the creation, as the answer that created it tells the time';
    return sampleOf('WCI-DT-028', violated('timezone', expected, actual));
  }
  return sampleOf('WCI-DT-028', unclear(`${actual}: the clock may be wrong or have been moved`));
}

const quarter = 15 * minute;
/** The offsets from UTC that are no whole hours, in quarters of an hour. */
const brokenHours = new Set([-38, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 51, 55]);

/** Whether some timezone is as far from UTC: -12 to +14 hours, most by whole hours. */
function isZoneOffset(deviation: number): boolean {
  const quarters = Math.round(deviation / quarter);
  const isOne = (quarters % 4 === 0 && quarters >= -48 && quarters <= 56) || brokenHours.has(quarters);
  return isOne && quarters !== 0 && Math.abs(deviation - quarters * quarter) <= 5 * minute;
}
