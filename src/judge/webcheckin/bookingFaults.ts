import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import type { Fault } from './fault.ts';
import { clockFault, type ClockFault } from './localClock.ts';
import { passengersFault, type PassengerRules } from './passengerFaults.ts';

const ofSubscribe: PassengerRules = {
  missing: 'WCI-SUB-027',
  empty: 'WCI-SUB-028',
  shape: 'WCI-SUB-029',
  name: 'WCI-SUB-069',
  passport: 'WCI-SUB-058',
  documents: 'WCI-SUB-052',
  documentType: 'WCI-SUB-047',
  documentKind: 'WCI-SUB-048',
  seat: 'WCI-SUB-068',
  row: 'WCI-SUB-055',
  column: 'WCI-SUB-056',
  later: 'WCI-SUB-039',
};

/**
 * The first thing for which no service may accept a booking, under any reading of the documents; null where there is none.
 * What readers may interpret differently is no fault here.
 */
export function bookingFault({ flights, passengers, callbackData }: JsonObject): Fault | null {
  return (
    flightsFault(flights) ??
    passengersFault(passengers, 'passengers', ofSubscribe) ??
    callbackFault(callbackData)
  );
}

function flightsFault(flights: Json | undefined): Fault | null {
  const fault = (requirement: string): Fault => ({ requirement, at: 'flights', value: flights });
  if (flights === undefined || flights === null) return fault('WCI-SUB-024');
  if (!Array.isArray(flights)) return fault('WCI-SUB-026');
  if (flights.length === 0) return fault('WCI-SUB-025');
  return firstOf(flights as readonly Json[], (flight, index) => {
    const at = `flights[${index}]`;
    if (!isObject(flight)) return { requirement: 'WCI-SUB-026', at, value: flight };
    return legFault(flight, at, index);
  });
}

const required = ['airline', 'flight_number', 'origin', 'destination', 'departure_datetime'] as const;

function legFault(flight: JsonObject, at: string, index: number): Fault | null {
  const fault = (name: string, requirement: string): Fault => ({
    ...{ requirement, at: `${at}.${name}`, value: flight[name] },
  });
  for (const name of required) {
    const value = flight[name];
    if (value === undefined || value === null) return fault(name, index > 0 ? 'WCI-SUB-033' : 'WCI-SUB-030');
    if (typeof value !== 'string') return fault(name, 'WCI-SUB-032');
    if (value === '' && name !== 'departure_datetime') return fault(name, 'WCI-SUB-031');
  }
  const { airline, origin, destination, departure_datetime: departure, arrival_datetime: arrival } = flight;
  if (/[!-/:-@[-`{-~]/.test(textOf(airline))) return fault('airline', 'WCI-SUB-063');
  if (!isThreeLetters(origin)) return fault('origin', 'WCI-SUB-035');
  if (!isThreeLetters(destination)) return fault('destination', 'WCI-SUB-035');
  const late = clockFault(textOf(departure));
  if (late !== null) return fault('departure_datetime', index > 1 ? 'WCI-DT-032' : clockRows[late]);
  return arrivalFault(arrival) ? fault('arrival_datetime', arrivalFault(arrival) ?? '') : null;
}

const clockRows: Readonly<Record<ClockFault, string>> = {
  shape: 'WCI-DT-016',
  fraction: 'WCI-DT-005',
  'date-only': 'WCI-DT-015',
  'one-digit': 'WCI-DT-017',
  calendar: 'WCI-DT-018',
  time: 'WCI-DT-020',
};

function arrivalFault(arrival: Json | undefined): string | null {
  if (arrival === undefined || arrival === null) return null;
  if (typeof arrival !== 'string') return 'WCI-SUB-032';
  const fault = clockFault(arrival);
  return fault === 'fraction' || fault === 'date-only' || fault === 'shape' ? 'WCI-DT-023' : null;
}

/** Only what is wrong in any reading of a header; the form of the address is left to the checks. */
function callbackFault(data: Json | undefined): Fault | null {
  if (!isObject(data)) return null;
  const { callbackUrl, auth_header: header } = data;
  const fault = (name: string, requirement: string): Fault => ({
    ...{ requirement, at: `callbackData.${name}`, value: name === 'auth_header' ? 'the value' : data[name] },
  });
  if (callbackUrl === undefined || callbackUrl === null) return fault('callbackUrl', 'WCI-CBR-001');
  if (header === undefined || header === null) return fault('auth_header', 'WCI-CBR-002');
  const row = typeof header === 'string' ? headerRow(header) : null;
  return row === null ? null : fault('auth_header', row);
}

function headerRow(header: string): string | null {
  const [name = '', value, ...more] = header.split(':');
  if (value === undefined) return 'WCI-CBR-009';
  if (/[\r\n]/.test(header)) return 'WCI-CBR-012';
  if (more.length > 0) return 'WCI-CBR-010';
  if (!/^\s*(x-api-key|authorization)\s*$/i.test(name)) return 'WCI-CBR-008';
  return value === '' ? 'WCI-CBR-011' : null;
}

/** Code points of any script: whether only ASCII letters are letters is not decided here. */
function isThreeLetters(code: Json | undefined): boolean {
  return /^\p{L}{3}$/u.test(textOf(code).trim());
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function firstOf<T>(items: readonly T[], faultOf: (item: T, index: number) => Fault | null): Fault | null {
  for (const [index, item] of items.entries()) {
    const fault = faultOf(item, index);
    if (fault) return fault;
  }
  return null;
}
