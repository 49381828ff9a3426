import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import type { Fault } from './fault.ts';

/** The requirements on passengers in one kind of request; `later` for passengers that only a rule for all of them covers. */
export interface PassengerRules {
  readonly missing: string | null;
  readonly empty: string;
  readonly shape: string;
  readonly name: string;
  readonly passport: string;
  readonly documents: string;
  readonly documentType: string;
  readonly documentKind: string;
  readonly seat: string;
  readonly row: string;
  readonly column: string;
  readonly later: string;
}

/** The first fault for which no service may accept a list of passengers. A missing name may count as missing information. */
export function passengersFault(
  passengers: Json | undefined,
  at: string,
  rules: PassengerRules,
): Fault | null {
  const fault = (requirement: string): Fault => ({ requirement, at, value: passengers });
  if (passengers === undefined || passengers === null)
    return rules.missing === null ? null : fault(rules.missing);
  if (!Array.isArray(passengers)) return fault(rules.shape);
  if (passengers.length === 0) return fault(rules.empty);
  for (const [index, passenger] of (passengers as readonly Json[]).entries()) {
    const place = `${at}[${index}]`;
    if (!isObject(passenger)) return { requirement: rules.shape, at: place, value: passenger };
    const found = passengerFault(passenger, place, rules);
    if (found) return index > 1 ? { ...found, requirement: rules.later } : found;
  }
  return null;
}

function passengerFault(passenger: JsonObject, at: string, rules: PassengerRules): Fault | null {
  const fault = (name: string, requirement: string): Fault => ({
    ...{ requirement, at: `${at}.${name}`, value: passenger[name] },
  });
  for (const name of ['first_name', 'last_name'])
    if (passenger[name] !== null && !['string', 'undefined'].includes(typeof passenger[name]))
      return fault(name, rules.name);
  const { passport, documents, seat_preference: seat } = passenger;
  if (!isObject(passport ?? {})) return fault('passport', rules.passport);
  if (!Array.isArray(documents ?? [])) return fault('documents', rules.documents);
  if (!isObject(seat ?? {})) return fault('seat_preference', rules.seat);
  return documentFault(documents, at, rules) ?? seatFault(seat, at, rules);
}

const kinds = ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'];

function documentFault(documents: Json | undefined, at: string, rules: PassengerRules): Fault | null {
  const items = Array.isArray(documents) ? (documents as readonly Json[]) : [];
  for (const [index, item] of items.entries()) {
    const place = `${at}.documents[${index}]`;
    if (!isObject(item)) return { requirement: rules.documentType, at: place, value: item };
    const { type } = item;
    if (type === undefined || type === null)
      return { requirement: rules.documentType, at: `${place}.type`, value: type };
    // Another letter case is an open point.
    if (typeof type !== 'string' || !kinds.includes(type.trim().toUpperCase()))
      return { requirement: rules.documentKind, at: `${place}.type`, value: type };
  }
  return null;
}

// `back` is an open point, and so is another letter case.
const seats: Readonly<Record<'row_preference' | 'column_preference', readonly string[]>> = {
  row_preference: ['front', 'middle', 'rear', 'back'],
  column_preference: ['window', 'middle', 'aisle'],
};

function seatFault(seat: Json | undefined, at: string, rules: PassengerRules): Fault | null {
  if (!isObject(seat)) return null;
  for (const name of ['row_preference', 'column_preference'] as const) {
    const value = seat[name];
    const isKnown = typeof value !== 'string' || seats[name].includes(value.trim().toLowerCase());
    // An empty text may mean none.
    if (isKnown || value.trim() === '') continue;
    const requirement = name === 'row_preference' ? rules.row : rules.column;
    return { requirement, at: `${at}.seat_preference.${name}`, value };
  }
  return null;
}
