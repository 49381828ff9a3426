import type { Conventions } from './conventions.ts';
import { isObject } from './reading.ts';

type Members = Record<string, unknown>;

const ends = {
  departure: [
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
    'gate',
    'boardingStatus',
  ],
  arrival: [
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
    'baggageBelt',
  ],
};

const airlines: Record<string, string> = {
  EK: 'Emirates',
  SV: 'Saudia',
  QR: 'Qatar Airways',
  BA: 'British Airways',
};

const objectOf = (value: unknown): Members => (isObject(value) ? value : {});

function offset(value: unknown, { offsets }: Conventions): unknown {
  if (value === undefined || value === null || value === '' || offsets === 'as upstream')
    return value ?? null;
  return offsets === 'number' ? Number(value) : writtenOut(value);
}

const writtenOut = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function end(value: unknown, names: readonly string[], using: Conventions): Members {
  const from = objectOf(value);
  const unknown = using.unknownText === 'null' ? null : '';
  const one = (name: string): unknown =>
    name === 'utcOffsetSeconds' ? offset(from[name], using) : name in from ? from[name] : unknown;
  return Object.fromEntries(names.map((name) => [name, one(name)]));
}

/** A leg as upstream knows it, in the structure of the document. */
export function shownLeg(leg: Members, number: string, using: Conventions): Members {
  const stopover = objectOf(leg.stopover);
  const code = number.replace(/\d{1,4}$/, '');
  const upstream = objectOf(leg.airline);
  const known = using.airlineName === 'known' ? (airlines[code] ?? null) : null;
  return {
    flightNumber: using.shownNumber === 'clean' ? number : (leg.flightNumber ?? number),
    stopover: { airportIata: stopover.airportIata ?? null, city: stopover.city ?? null },
    ...(leg.alternateInfo === undefined || leg.alternateInfo === null || emptied(leg.alternateInfo, using)
      ? {}
      : { alternateInfo: leg.alternateInfo }),
    isCodeshare: leg.isCodeshare ?? null,
    codeshareFlightNumber: leg.codeshareFlightNumber ?? null,
    status: leg.status ?? null,
    airline: { name: upstream.name ?? known, code },
    departure: end(leg.departure, ends.departure, using),
    arrival: end(leg.arrival, ends.arrival, using),
  };
}

const emptied = (alternate: unknown, { noAlternate }: Conventions): boolean =>
  noAlternate === 'left out' && Array.isArray(alternate) && alternate.length === 0;

/** Changes merged member by member; arrays are replaced. */
export function mergedLeg(leg: Members, changes: Members): Members {
  const merged = { ...leg };
  for (const [name, value] of Object.entries(changes)) {
    merged[name] = isObject(value) ? mergedLeg(objectOf(merged[name]), value) : value;
  }
  return merged;
}

/** What differs between two snapshots, in their structure. */
export function changedIn(before: Members, after: Members, using: Conventions): Members {
  const changed: Members = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [before[name], after[name] ?? null];
    if (JSON.stringify(one) === JSON.stringify(after[name])) continue;
    const whole =
      (name === 'stopover' && using.objectsPushed === 'whole') || !isObject(one) || !isObject(other);
    changed[name] = whole ? other : changedIn(one, other, using);
  }
  return changed;
}
