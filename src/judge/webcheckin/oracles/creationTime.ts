import type { Exchange } from '../../../core/evidence.ts';
import { dateOf, responseOf } from '../../kernel/body.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { place, type ShownRecord } from '../records.ts';

/** When a record was created, in epoch milliseconds: by the deployment's Date header, and by our clock. */
export interface Creation {
  /** Null where the answer has no such header. */
  readonly byItsClock: number | null;
  readonly byOurs: number;
}

/** The time of the answer to the subscribe that created a record. */
export function creationOf(exchange: Exchange): Creation {
  const response = responseOf(exchange);
  return { byItsClock: response && dateOf(response), byOurs: exchange.timings.receivedAt };
}

/** Whether a created_at of this run has been right: a later step ahead is then a clock that a state handler moved. */
export interface ClockTrust {
  wasRight: boolean;
}

const minute = 60_000;
const drift = 20 * minute;
const furthestZone = 14 * 60 * minute;

/**
 * Clocks drift by minutes; local time that is presented as UTC is wrong by the offset of a timezone. If the header and
 * our clock contradict each other, either may be wrong: a time that agrees with one of them is right.
 */
export function judgeCreation(
  shown: ShownRecord,
  createdAt: number,
  { byItsClock, byOurs }: Creation,
  trust: ClockTrust,
): Sample {
  const deviations = [byItsClock ?? byOurs, byOurs].map((instant) => createdAt - instant);
  if (deviations.some((deviation) => Math.abs(deviation) <= drift)) {
    trust.wasRight = true;
    return sampleOf('WCI-DT-028', holds);
  }
  const [deviation = 0, byUs = 0] = deviations;
  const actual = `${place(shown, 'created_at')} is ${Math.round(deviation / minute)} minutes off`;
  const mayBeMoved = deviation > 0 && (trust.wasRight || byItsClock === null);
  const isCertain = Math.abs(deviation - byUs) <= drift;
  if (!mayBeMoved && isCertain && isZoneOffset(deviation)) {
    const expected = 'the UTC instant of the creation, as the answer that created it tells the time';
    return sampleOf('WCI-DT-028', violated('timezone', expected, actual));
  }
  return sampleOf('WCI-DT-028', unclear(`${actual}: the clock may be wrong or have been moved`));
}

/** Timezones differ from UTC by quarters of an hour. */
function isZoneOffset(deviation: number): boolean {
  const quarter = 15 * minute;
  const nearest = Math.round(deviation / quarter) * quarter;
  return Math.abs(nearest) <= furthestZone && Math.abs(deviation - nearest) <= 5 * minute;
}
