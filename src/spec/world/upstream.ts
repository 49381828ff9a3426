import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { Flights, merged } from './flights.ts';
import { flightAskedIn, flightOf, legNameOf, routeOf, shownLegs } from './legs.ts';

/** A leg as it was shown. */
interface Leg {
  /** As the latest answer showed it, with what changed since; null before the first. */
  shown: JsonObject | null;
  /** Whether an answer showed it since the latest change. */
  isSeen: boolean;
  /** When the latest change ended, in epoch milliseconds. */
  changedAt: number;
}

/** Something that upstream reported of a leg. */
export interface LegChange {
  readonly name: string;
  readonly leg: Leg;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: JsonObject;
  /** The leg as it was shown before; null where that is not known. */
  readonly shown: JsonObject | null;
}

const mostLegs = 2_000;

/** What upstream reports of the legs that a state handler has put there. */
export class Upstream {
  readonly #flights = new Flights();
  #legs = new RecentMap<string, Leg>(mostLegs);

  has(name: string): boolean {
    return this.#flights.legOf(name) !== null;
  }

  /** Takes note of what the state handler did; returns the change of a leg. */
  note(step: Step): LegChange | null {
    const { operation, params, endedAt } = step;
    const name = legNameOf(params ?? {});
    const before = this.#flights.legOf(name);
    this.#flights.step(step);
    if (operation === 'flights.put') this.#forget(params && flightOf(params));
    const changes = params?.changes;
    const after = operation === 'flights.change' ? this.#flights.legOf(name) : null;
    if (!before || !after || before === after || !isObject(changes)) return null;
    const leg = this.#legOf(name, endedAt);
    const { shown } = leg;
    Object.assign(leg, { shown: shown && merged(shown, changes), isSeen: false, changedAt: endedAt });
    return { name, leg, before, after, changes, shown };
  }

  /** Takes note of the legs that an answer shows. */
  see(call: Call): void {
    if (this.#flights.isEmpty) return;
    const { exchange, sentAt } = call;
    const flight = flightOf(flightAskedIn(call) ?? {});
    if (this.#flights.of(flight) === null) return;
    for (const { leg: shown } of shownLegs(exchange)) {
      const name = `${flight} ${routeOf(shown).replace('-', ' ')}`;
      const leg = this.has(name) ? this.#legOf(name, this.#flights.changedAt(name)) : null;
      if (leg && sentAt >= leg.changedAt) Object.assign(leg, { shown, isSeen: true });
    }
  }

  #legOf(name: string, changedAt: number): Leg {
    const known = this.#legs.get(name) ?? { shown: null, isSeen: false, changedAt };
    this.#legs.set(name, known);
    return known;
  }

  #forget(flight: string | null): void {
    if (flight === null) this.#legs = new RecentMap<string, Leg>(mostLegs);
    else
      for (const name of [...this.#legs.keys()]) if (name.startsWith(`${flight} `)) this.#legs.delete(name);
  }
}

/** When a leg departs at the earliest, in epoch milliseconds. */
export function departureOf({ name, before }: LegChange): number {
  const { departure } = before;
  const { scheduledTime: clock, utcOffsetSeconds: offset } = isObject(departure) ? departure : {};
  const local = typeof clock === 'string' ? Date.parse(`${clock.replace(' ', 'T')}Z`) : Number.NaN;
  const at = local - Number(offset ?? Number.NaN) * 1000;
  // Somewhere it is that day fourteen hours earlier.
  return Number.isNaN(at) ? Date.parse(name.split(' ')[1] ?? '') - 14 * 3_600_000 : at;
}
