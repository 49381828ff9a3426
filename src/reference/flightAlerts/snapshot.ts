import type { Snapshot, UpstreamLeg } from './subscriptions.ts';
import type { FlightAlertsPolicy } from './policy.ts';
import { findAirline } from '../data/airlines.ts';
import { carrierOf } from './flightNumber.ts';

type Part = Readonly<Record<string, unknown>>;

export const departureFields = [
  'airportIata',
  'city',
  'terminal',
  'utcOffsetSeconds',
  'scheduledTime',
  'estimatedTime',
  'actualTime',
  'gate',
  'boardingStatus',
] as const;

export const arrivalFields = [
  'airportIata',
  'city',
  'terminal',
  'utcOffsetSeconds',
  'scheduledTime',
  'estimatedTime',
  'actualTime',
  'baggageBelt',
] as const;

/** A leg snapshot (Leg snapshot): values as received, missing ones null. */
export function snapshotOf(leg: UpstreamLeg, policy: FlightAlertsPolicy): Snapshot {
  const flightNumber = leg.flightNumber;
  const airline = part(leg.airline);
  const code = airline.code ?? (typeof flightNumber === 'string' ? policy.airlineCode(flightNumber) : null);
  const name = airline.name ?? (typeof code === 'string' ? findAirline(code)?.name : null);
  return policy.shapeSnapshot({
    flightNumber: flightNumber ?? null,
    stopover: pick(leg.stopover, ['airportIata', 'city']),
    ...alternateInfo(leg.alternateInfo, policy),
    isCodeshare: leg.isCodeshare ?? null,
    codeshareFlightNumber: leg.codeshareFlightNumber ?? null,
    status: leg.status ?? null,
    airline: { name: name ?? null, code },
    departure: pick(leg.departure, departureFields),
    arrival: pick(leg.arrival, arrivalFields),
  });
}

/** The airline code that a flight number starts with. */
export function documentedAirlineCode(flightNumber: string): string | null {
  return carrierOf(flightNumber);
}

function alternateInfo(value: unknown, policy: FlightAlertsPolicy): Part {
  if (Array.isArray(value) && value.length > 0) return { alternateInfo: value };
  if (policy.absentAlternateInfo === 'absent') return {};
  return { alternateInfo: policy.absentAlternateInfo === 'null' ? null : [] };
}

function pick(value: unknown, fields: readonly string[]): Record<string, unknown> {
  const given = part(value);
  return Object.fromEntries(fields.map((field) => [field, given[field] ?? null]));
}

function part(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}
