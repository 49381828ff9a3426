import type { Exchange } from '../../../core/evidence.ts';
import { dateOf, responseOf } from '../../kernel/body.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import type { Known } from '../../kernel/oracle.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { LeadTimes } from '../leadTimes.ts';
import { place, type ShownRecord } from '../records.ts';

/** When a record was created, in epoch milliseconds, by each clock that may have told it. */
export interface Creation {
  /** By the `Date` header of the answer; null where it has none. */
  readonly byItsClock: number | null;
  readonly byOurs: number;
  /** By our clock, moved as the deployment's state handler moved that of the deployment. */
  readonly byMoved: number;
  /** By what that handler tells. */
  readonly byTold: number;
}

/** The time of the answer to the subscribe that created a record. */
export function creationOf(exchange: Exchange, { movedMs, toldMs = null }: Known): Creation {
  const response = responseOf(exchange);
  const byOurs = exchange.timings.receivedAt;
  return {
    byItsClock: response && dateOf(response),
    ...{ byOurs, byMoved: byOurs + movedMs, byTold: byOurs + (toldMs ?? movedMs) },
  };
}

const minute = 60_000;
const drift = 20 * minute;
/** The offset of one clock is the same for each record, as far as a clock that nobody corrects goes. */
const steadyMs = 5 * minute;
/** As many of the wrong times are judged at the end. */
const mostWaiting = 20;

/** A created_at that fits no clock, until all lead times of the run are known. */
interface Waiting {
  readonly list: Exchange;
  readonly shown: ShownRecord;
  readonly hasDate: boolean;
  /** How far the clock of created_at is ahead of ours, and that of the header. */
  readonly shownMs: number;
  readonly headerMs: number;
}

/**
 * The times of creation of a run. Clocks drift by minutes; local time that is presented as UTC is wrong by the offset of a timezone.
 * If the header, our clock and what the state handler did contradict each other, any may be wrong: a time that agrees with one of
 * them is right. One that agrees with none is a clock of its own only if lead times go by it as well.
 */
export class CreationTimes {
  readonly leads = new LeadTimes();
  readonly #waiting: Waiting[] = [];
  readonly #turns = new Turns();

  judge(list: Exchange, shown: ShownRecord, createdAt: number, creation: Creation): Sample | null {
    const { byItsClock, byOurs, byMoved, byTold } = creation;
    const byHeader = createdAt - (byItsClock ?? byOurs);
    const deviations = [byHeader, createdAt - byOurs, createdAt - byMoved, createdAt - byTold];
    const isRight = deviations.some((deviation) => Math.abs(deviation) <= drift);
    const wasRight = this.#turns.wasRight;
    this.#turns.note(byOurs, isRight);
    if (isRight) return sampleOf('WCI-DT-028', holds);
    const actual = offText(shown, byHeader);
    const hasDate = byItsClock !== null;
    if (byHeader > 0 && wasRight) return this.#afterStep(actual);
    const isZone = [byHeader, createdAt - byMoved].some(isZoneOffset);
    if (isZone && (byHeader < 0 || hasDate)) return wrong('timezone', actual);
    const headerMs = (byItsClock ?? byOurs) - byOurs;
    if (this.#waiting.length < mostWaiting)
      this.#waiting.push({ list, shown, hasDate, shownMs: createdAt - byOurs, headerMs });
    return null;
  }

  /** A state handler may have moved the clock, but moves none to and fro. */
  #afterStep(actual: string): Sample {
    if (this.#turns.count > 2) return wrong('unsteady', `${actual}, and right in records before and after`);
    return sampleOf('WCI-DT-028', unclear(`${actual}, and was right before: the clock may have been moved`));
  }

  end(): readonly Sample[] {
    const isSteady = !this.#turns.wasRight && areClose(this.#waiting.map(({ shownMs }) => shownMs));
    return this.#waiting.map((one) => ({ ...this.#atEnd(one, isSteady), evidence: [one.list] }));
  }

  #atEnd({ shown, hasDate, shownMs, headerMs }: Waiting, isSteady: boolean): Sample {
    const actual = offText(shown, shownMs - headerMs);
    const isAhead = shownMs > headerMs;
    const denied = isAhead ? this.leads.showing(headerMs, shownMs) : null;
    if (denied !== null)
      return wrong('clock', `${actual}; by that clock, the departure of ${denied} was too close`);
    const shared = this.leads.showing(shownMs, headerMs);
    const cause =
      shared !== null
        ? `${actual}, and lead times go by that clock too (${shared}): it may have been moved`
        : !hasDate
          ? `${actual} by this machine's clock: without a Date header, and a departure that tells, the deployment's may be off`
          : isAhead || isSteady
            ? null
            : `${actual}: it may be a record that was there before`;
    return cause === null ? wrong('clock', actual) : sampleOf('WCI-DT-028', unclear(cause));
  }
}

/** How often created_at turned from right to wrong or back, from one record to a later one. */
class Turns {
  wasRight = false;
  count = 0;
  #latest = -Infinity;
  #isRight = true;

  note(createdAt: number, isRight: boolean): void {
    if (isRight) this.wasRight = true;
    if (createdAt < this.#latest) return;
    if (this.#latest !== -Infinity && isRight !== this.#isRight) this.count += 1;
    this.#latest = createdAt;
    this.#isRight = isRight;
  }
}

function areClose(offsets: readonly number[]): boolean {
  return offsets.length > 1 && Math.max(...offsets) - Math.min(...offsets) <= steadyMs;
}

function offText(shown: ShownRecord, deviation: number): string {
  return `${place(shown, 'created_at')} is ${Math.round(deviation / minute)} minutes off`;
}

function wrong(code: string, actual: string): Sample {
  const expected = 'the UTC instant of the creation, as the answer that created it tells the time';
  return sampleOf('WCI-DT-028', violated(code, expected, actual));
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
