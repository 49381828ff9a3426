import type { Call } from '../../trace/call.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { areObjects } from '../world/changes.ts';
import type { Creation } from '../world/histories.ts';
import type { Sight } from '../world/sights.ts';
import { departureIn, leadMs, outcomeOf } from './journeys.ts';
import { broken } from './recordForms.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const driftMs = 20 * minuteMs;
/** The offset of one clock is the same for each booking, as far as a clock that nobody corrects goes; and no lead time is judged closer. */
const steadyMs = 5 * minuteMs;
/** No timezone differs further from UTC. */
const mostOffMs = 15 * hourMs;
const mostWaiting = 20;
const mostLeads = 200;

/** A created_at that fits no clock, until all lead times of the run are known. */
interface Waiting {
  readonly violation: Said;
  readonly hasDate: boolean;
  /** How far the clock of created_at is ahead of ours, and that of the header. */
  readonly shownMs: number;
  readonly headerMs: number;
}

/** A subscribe whose answer shows by which of two clocks leads are measured: one further ahead of ours finds its departure too close. */
interface Lead {
  readonly isAccepted: boolean;
  readonly mostMs: number;
}

/**
 * The times of creation of a run. Clocks drift by minutes; local time that is presented as UTC is wrong by the offset of a timezone.
 * If the header, our clock and what the state handler did contradict each other, any may be wrong: a time that agrees with one of
 * them is right. One that agrees with none is a clock of its own only if lead times go by it as well.
 */
export class CreationTimes {
  readonly #waiting: Waiting[] = [];
  readonly #leads: Lead[] = [];
  #wasRight = false;
  /** How often it turned from right to wrong or back, from one booking to a later one. */
  #turns = 0;
  #latest: { readonly at: number; readonly isRight: boolean } | null = null;

  /** Departures near six hours ahead, with their answers. */
  learn(call: Call): void {
    if (call.op !== 'wci.subscribe' || this.#leads.length >= mostLeads) return;
    const outcome = outcomeOf(call);
    const flights = call.body?.flights;
    if (outcome === null || outcome === 'repeated' || !areObjects(flights)) return;
    const mostMs = (departureIn(flights) ?? Infinity) - leadMs - call.receivedAt;
    if (Math.abs(mostMs) <= mostOffMs) this.#leads.push({ isAccepted: outcome === 'accepted', mostMs });
  }

  judge(sight: Sight, createdAt: number, creation: Creation, say: (said: Said) => void): void {
    const { byHeader, byOurs, byMoved, byTold } = creation;
    const header = byHeader ?? byOurs;
    const off = createdAt - header;
    const isRight = [header, byOurs, byMoved, byTold].some((at) => Math.abs(createdAt - at) <= driftMs);
    const wasRight = this.#wasRight;
    this.#note(byOurs, isRight);
    if (isRight) {
      say(['WCI-DT-028', null]);
      return;
    }
    const want = is.value(new Date(header).toISOString());
    const violation = broken(sight, 'WCI-DT-028', 'created_at', want, {
      code: 'clock',
      because: [sight.exchange],
    });
    const isZone = [off, createdAt - byMoved].some(isZoneOffset);
    const hasDate = byHeader !== null;
    const [shownMs, headerMs] = [createdAt - byOurs, header - byOurs];
    // A state handler may have moved the clock ahead, but moves none to and fro.
    const isAfterStep = off > 0 && wasRight;
    if (isAfterStep ? this.#turns > 2 : isZone && (off < 0 || hasDate)) say(violation);
    else if (!isAfterStep && this.#waiting.length < mostWaiting)
      this.#waiting.push({ violation, hasDate, shownMs, headerMs });
  }

  end(): readonly Said[] {
    const all = this.#waiting.map(({ shownMs }) => shownMs);
    const isSteady = !this.#wasRight && all.length > 1 && Math.max(...all) - Math.min(...all) <= steadyMs;
    return this.#waiting.flatMap(({ violation, hasDate, shownMs, headerMs }) => {
      const isAhead = shownMs > headerMs;
      const isDenied = isAhead && this.#showLeads(headerMs, shownMs);
      // It may be a booking that was there before.
      const isOff = hasDate && (isAhead || isSteady) && !this.#showLeads(shownMs, headerMs);
      return isDenied || isOff ? [violation] : [];
    });
  }

  #note(at: number, isRight: boolean): void {
    this.#wasRight ||= isRight;
    if (this.#latest && at < this.#latest.at) return;
    if (this.#latest && isRight !== this.#latest.isRight) this.#turns += 1;
    this.#latest = { at, isRight };
  }

  /**
   * Whether a subscribe was answered as only one of two clocks has it, both in milliseconds ahead of ours: accepted if `right` is
   * the earlier one, and refused, for which there may be other reasons, if it is the later one.
   */
  #showLeads(right: number, wrong: number): boolean {
    const [earlier, later] = [Math.min(right, wrong) + steadyMs, Math.max(right, wrong) - steadyMs];
    return this.#leads.some(
      ({ isAccepted, mostMs }) => isAccepted === right < wrong && mostMs >= earlier && mostMs <= later,
    );
  }
}

const quarterMs = 15 * minuteMs;
/** The offsets from UTC that are no whole hours, in quarters of an hour. */
const brokenHours = new Set([-38, -14, -10, 14, 18, 22, 23, 26, 35, 38, 42, 51, 55]);

/** Whether some timezone is as far from UTC: -12 to +14 hours, most by whole hours. */
function isZoneOffset(off: number): boolean {
  const quarters = Math.round(off / quarterMs);
  const isOne = (quarters % 4 === 0 && quarters >= -48 && quarters <= 56) || brokenHours.has(quarters);
  return isOne && quarters !== 0 && Math.abs(off - quarters * quarterMs) <= steadyMs;
}
