import { dailyFlights, type DailyFlight } from '../data/schedule.ts';
import { legsOn } from './timetable.ts';
import type { UpstreamLeg } from './leg.ts';

type UpstreamFailure = 'unavailable' | 'invalid-data' | 'subscription' | null;

/** By what an answer of upstream is kept and shown again. */
export type Kept = 'never' | 'by-date' | 'by-number' | 'unknown';

/** When somebody asks: the current UTC date, and the instant in milliseconds. */
interface Moment {
  readonly today: string;
  readonly now: number;
}

interface Seen {
  readonly legs: readonly UpstreamLeg[];
  readonly until: number;
}

/** The simulated source of flight data: a daily timetable, and what the state handler puts in its place. */
export class Upstream {
  failure: UpstreamFailure = null;
  readonly #timetable = new Map<string, DailyFlight>(
    dailyFlights.map((flight) => [flight.flightNumber, flight]),
  );
  readonly #put = new Map<string, readonly UpstreamLeg[]>();
  readonly #seen = new Map<string, Seen>();

  /** All legs of a flight on a date, in the order of the journey. */
  legs(
    flightNumber: string,
    date: string,
    { today, now }: Moment,
    [kept, keptMs]: readonly [Kept, number],
  ): readonly UpstreamLeg[] {
    if (kept === 'never') return this.latest(flightNumber, date, today);
    const name = kept === 'by-number' ? flightNumber : `${flightNumber} ${date}`;
    const known = this.#seen.get(name);
    if (known && now < known.until) return known.legs;
    const legs = this.latest(flightNumber, date, today);
    // What is not known yet may become known.
    if (kept === 'unknown' ? legs.length === 0 : legs.length > 0 || kept === 'by-date')
      this.#seen.set(name, { legs, until: now + keptMs });
    return legs;
  }

  put(flightNumber: string, date: string, legs: readonly UpstreamLeg[]): void {
    this.#put.set(`${flightNumber} ${date}`, legs);
  }

  /** The legs of a flight that was put, whose number begins with another one. */
  beginningWith(flightNumber: string, date: string): readonly UpstreamLeg[] {
    const names = [...this.#put.keys()].filter(
      (name) => name.startsWith(flightNumber) && name.endsWith(date),
    );
    return this.#put.get(names.at(-1) ?? '') ?? [];
  }

  /** What upstream would report now. */
  latest(flightNumber: string, date: string, today: string): readonly UpstreamLeg[] {
    const put = this.#put.get(`${flightNumber} ${date}`);
    if (put) return put;
    const flight = this.#timetable.get(flightNumber);
    return flight && isWithinAYear(date, today) ? legsOn(flight, date) : [];
  }
}

function isWithinAYear(date: string, today: string): boolean {
  if (Number.isNaN(Date.parse(`${date}T00:00:00Z`))) return false;
  return (Date.parse(date) - Date.parse(today)) / 86_400_000 <= 366;
}
