import { dailyFlights, type DailyFlight, type DailyLeg } from '../data/schedule.ts';
import type { UpstreamLeg } from './subscriptions.ts';
import { hash32 } from '../../core/random.ts';
import { findAirport } from '../data/airports.ts';
import { instantInZone, offsetAt } from '../shared/localTime.ts';

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

/** The legs of a daily flight on a date; all times in the local time of the leg's departure airport. */
function legsOn(flight: DailyFlight, date: string): readonly UpstreamLeg[] {
  return flight.legs.map((leg) => legOn(flight, leg, date));
}

function legOn(flight: DailyFlight, leg: DailyLeg, date: string): UpstreamLeg {
  const departs = Date.parse(`${date}T${leg.departs}:00Z`) + (leg.day ?? 0) * 86_400_000;
  const variety = hash32(`${flight.flightNumber}${leg.from}${leg.to}`);
  return {
    flightNumber: flight.flightNumber,
    isCodeshare: flight.operatedAs === undefined ? 0 : 1,
    codeshareFlightNumber: flight.operatedAs ?? '',
    status: 'schedule',
    ...(leg.stopover === undefined
      ? {}
      : { stopover: { airportIata: leg.stopover, city: cityOf(leg.stopover) } }),
    ...(leg.alternate ? { alternateInfo: [alternateOf(leg.alternate, departs)] } : {}),
    departure: {
      ...endOf(leg.from, departs, leg.from, variety),
      scheduledTime: clockText(departs),
      gate: `${'ABC'.charAt(variety % 3)}${1 + (variety % 40)}`,
    },
    arrival: {
      ...endOf(leg.to, departs + leg.minutes * 60_000, leg.from, variety >>> 4),
      scheduledTime: clockText(departs + leg.minutes * 60_000),
    },
  };
}

function endOf(code: string, localMs: number, zoneOwner: string, variety: number): Record<string, unknown> {
  const local = new Date(localMs);
  const instant = instantInZone(
    {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
      second: 0,
      millisecond: 0,
    },
    findAirport(zoneOwner)?.zone ?? 'UTC',
  );
  return {
    airportIata: code,
    city: cityOf(code),
    terminal: String(1 + (variety % 4)),
    utcOffsetSeconds: offsetAt(findAirport(code)?.zone ?? 'UTC', instant) / 1000,
  };
}

function alternateOf(route: { from: string; to: string }, departs: number): Record<string, unknown> {
  return {
    status: 'schedule',
    departure: { city: cityOf(route.from), airport: route.from, scheduledTime: clockText(departs) },
    arrival: { city: cityOf(route.to), airport: route.to, actualTime: null },
  };
}

function cityOf(code: string): string | null {
  return findAirport(code)?.city ?? null;
}

/** `YYYY-MM-DD HH:mm:ss` of a local clock that is held as if it were UTC. */
function clockText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');
}
