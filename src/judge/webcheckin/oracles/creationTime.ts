import type { Exchange } from '../../../core/evidence.ts';
import { headerOf, responseOf } from '../../kernel/body.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { place, type ShownRecord } from '../records.ts';

/** When a record was created, in epoch milliseconds. */
export interface Creation {
  readonly instant: number;
  /** By the deployment's own clock, its Date header; else by ours. */
  readonly isItsClock: boolean;
}

/** The time of the answer to the subscribe that created a record. */
export function creationOf(exchange: Exchange): Creation {
  const response = responseOf(exchange);
  const date = Date.parse((response && headerOf(response, 'date')) ?? '');
  const isItsClock = !Number.isNaN(date);
  return { instant: isItsClock ? date : exchange.timings.receivedAt, isItsClock };
}

/** Whether a created_at of this run has been right: a later step ahead is then a clock that a state handler moved. */
export interface ClockTrust {
  wasRight: boolean;
}

const minute = 60_000;
const drift = 20 * minute;
const furthestZone = 14 * 60 * minute;

/** Clocks drift by minutes; local time that is passed off as UTC is wrong by the offset of a timezone. */
export function judgeCreation(
  shown: ShownRecord,
  createdAt: number,
  { instant, isItsClock }: Creation,
  trust: ClockTrust,
): Sample {
  const deviation = createdAt - instant;
  if (Math.abs(deviation) <= drift) {
    trust.wasRight = true;
    return sampleOf('WCI-DT-028', holds);
  }
  const actual = `${place(shown, 'created_at')} is ${Math.round(deviation / minute)} minutes off`;
  const mayBeMoved = deviation > 0 && (trust.wasRight || !isItsClock);
  if (!mayBeMoved && isZoneOffset(deviation)) {
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
