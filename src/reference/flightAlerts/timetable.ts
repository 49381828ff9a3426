import { hash32 } from '../../core/random.ts';
import { findAirport } from '../data/airports.ts';
import type { DailyFlight, DailyLeg } from '../data/schedule.ts';
import { instantInZone, offsetAt } from '../shared/localTime.ts';
import type { UpstreamLeg } from './leg.ts';

/** The legs of a daily flight on a date; all times in the local time of the leg's departure airport. */
export function legsOn(flight: DailyFlight, date: string): readonly UpstreamLeg[] {
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
