import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { merged } from './flights.ts';
import { flightOf, legNameOf, routeOf, shownLegs } from './legs.ts';

/** A leg by what the state handler told the upstream source of it, and as it was shown since. */
export interface Leg {
  readonly name: string;
  /** Its flight number and date. */
  readonly flight: string;
  upstream: JsonObject;
  /** As the latest answer showed it, with what changed since; null before the first. */
  shown: JsonObject | null;
  /** Whether an answer showed it since the latest change. */
  isSeen: boolean;
  /** When the latest change ended, in epoch milliseconds. */
  changedAt: number;
}

/** Something that upstream reported of a leg. */
export interface LegChange {
  readonly leg: Leg;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: JsonObject;
  /** The leg as it was shown before; null where that is not known. */
  readonly shown: JsonObject | null;
  readonly startedAt: number;
  readonly endedAt: number;
}

const mostLegs = 2_000;

/** The legs that a state handler has put there. */
export class Upstream {
  readonly #legs = new Map<string, Leg>();

  /** Takes note of what the state handler did; returns the change of a leg. */
  note(step: Step): LegChange | null {
    if (step.operation === 'flights.put') this.#put(step);
    return step.operation === 'flights.change' ? this.#change(step) : null;
  }

  has(name: string): boolean {
    return this.#legs.has(name);
  }

  /** Takes note of the legs that an answer shows. */
  see({ op, query, body, exchange, sentAt }: Call): void {
    if (this.#legs.size === 0) return;
    const flight = flightOf((op === 'fla.lookup' ? query : body) ?? {});
    for (const { leg: shown } of shownLegs(exchange)) {
      const leg = this.#legs.get(nameOf(flight, shown));
      if (leg && sentAt >= leg.changedAt) Object.assign(leg, { shown, isSeen: true });
    }
  }

  #put({ params, outcome, endedAt }: Step): void {
    const flight = flightOf(params ?? {});
    for (const { name } of [...this.#legs.values()].filter((leg) => leg.flight === flight || !params))
      this.#legs.delete(name);
    if (outcome !== 'done' || !Array.isArray(params?.legs)) return;
    for (const upstream of (params.legs as readonly Json[]).filter(isObject)) {
      const name = nameOf(flight, upstream);
      // Of two legs with one name nobody knows which is meant.
      if (this.#legs.has(name)) this.#legs.delete(name);
      else this.#legs.set(name, { name, flight, upstream, shown: null, isSeen: false, changedAt: endedAt });
    }
    const [oldest] = this.#legs.keys();
    if (this.#legs.size > mostLegs && oldest !== undefined) this.#legs.delete(oldest);
  }

  #change({ params, outcome, startedAt, endedAt }: Step): LegChange | null {
    const leg = this.#legs.get(legNameOf(params ?? {}));
    const changes = params?.changes;
    if (!leg || outcome === 'refused') return null;
    if (outcome === 'unknown' || !isObject(changes)) {
      this.#legs.delete(leg.name);
      return null;
    }
    const [before, after] = [leg.upstream, merged(leg.upstream, changes)];
    const { shown } = leg;
    Object.assign(leg, {
      ...{ upstream: after, shown: shown && merged(shown, changes) },
      ...{ isSeen: false, changedAt: endedAt },
    });
    return { leg, before, after, changes, shown, startedAt, endedAt };
  }
}

function nameOf(flight: string, leg: JsonObject): string {
  return `${flight} ${routeOf(leg).replace('-', ' ')}`;
}

/** When a leg departs at the earliest, in epoch milliseconds. */
export function departureOf({ leg: { flight }, before }: LegChange): number {
  const { departure } = before;
  const { scheduledTime: clock, utcOffsetSeconds: offset } = isObject(departure) ? departure : {};
  const local = typeof clock === 'string' ? Date.parse(`${clock.replace(' ', 'T')}Z`) : Number.NaN;
  const at = local - Number(offset ?? Number.NaN) * 1000;
  // Somewhere it is that day fourteen hours earlier.
  return Number.isNaN(at) ? Date.parse(flight.split(' ')[1] ?? '') - 14 * 3_600_000 : at;
}
