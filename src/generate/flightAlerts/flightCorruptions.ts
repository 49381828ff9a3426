import type * as fc from 'fast-check';
import {
  atEnd,
  drop,
  inElement,
  rewrite,
  row,
  setTo,
  type Corruption,
  type Mutation,
} from '../kit/corruption.ts';
import {
  arrivalViolations,
  dateTimeViolations,
  type DateTimeViolation,
} from '../webcheckin/dateTimeViolations.ts';
import { parseDate } from '../kit/impossibleDates.ts';
import { objectsAt, textAt, without, type JsonObject, type JsonValue } from '../kit/json.ts';
import type { LocalDateTime } from '../kit/localTime.ts';
import { unassignedAirports } from '../kit/places.ts';

const requiredFields = ['airline', 'flight_number', 'origin', 'destination', 'departure_datetime'] as const;
const nonEmptyFields = ['airline', 'flight_number', 'origin', 'destination'] as const;

type Rewrite = (code: string) => string;

const notThreeLetters: Readonly<Record<string, readonly Rewrite[]>> = {
  'too-short': [(code) => code.slice(0, 1), (code) => code.slice(0, 2)],
  'too-long': [(code) => `${code}X`, (code) => `${code}${code}`],
  'with-digit': [(code) => `${code.slice(0, 1)}1${code.slice(2)}`],
};

/** Faults within one leg of a subscribe, in any leg where that breaks no other rule. */
export const flightCorruptions: readonly Corruption[] = [
  ...requiredFields.flatMap((field) => [
    row('WCI-SUB-030', `absent-${field}`, inElement('flights', drop(field))),
    row('WCI-SUB-030', `null-${field}`, inElement('flights', setTo(field, null))),
  ]),
  ...nonEmptyFields.map((field) =>
    row('WCI-SUB-031', `empty-${field}`, inElement('flights', setTo(field, ''))),
  ),
  wrongType('number-flight_number', 'flight_number', 123),
  wrongType('boolean-airline', 'airline', true),
  wrongType('array-origin', 'origin', []),
  wrongType('object-destination', 'destination', {}),
  wrongType('epoch-departure_datetime', 'departure_datetime', 1_930_000_000_000),
  wrongType('epoch-arrival_datetime', 'arrival_datetime', 1_930_000_000_000),
  ...requiredFields.map((field) => inLaterLeg(`later-leg-without-${field}`, drop(field))),
  ...requiredFields.map((field) => inLaterLeg(`later-leg-with-null-${field}`, setTo(field, null))),
  ...nonEmptyFields.map((field) => inLaterLeg(`later-leg-with-empty-${field}`, setTo(field, ''))),
  inLaterLeg('later-leg-with-number-flight_number', setTo('flight_number', 123)),
  inLaterLeg('later-leg-with-object-destination', setTo('destination', {})),
  // Only the outer ends of the trip: elsewhere the legs would no longer connect either.
  ...Object.entries(notThreeLetters).flatMap(([name, rewrites]) => [
    row('WCI-SUB-035', `origin-${name}`, atEnd('first', 'flights', rewrite('origin', ...rewrites)), 'any'),
    row(
      'WCI-SUB-035',
      `destination-${name}`,
      atEnd('last', 'flights', rewrite('destination', ...rewrites)),
      'any',
    ),
  ]),
  row(
    'WCI-SUB-063',
    'airline-not-alphanumeric',
    inEveryFlight(rewrite('airline', ...notAlphanumeric())),
    'any',
  ),
  row(
    'WCI-DT-021',
    'origin-without-timezone',
    atEnd('first', 'flights', setTo('origin', ...unassignedAirports)),
    'any',
  ),
  ...dateTimeViolations.map((violation) => clockRow(violation, 'departure_datetime')),
  ...arrivalViolations.map((violation) => clockRow(violation, 'arrival_datetime')),
];

/** The wall clock of a valid flight clock, whatever its form. */
export function parseLocal(text: string): LocalDateTime {
  const clock = /[T ](\d\d):(\d\d)(?::(\d\d))?/.exec(text.trim());
  const [, hour = '0', minute = '0', second = '0'] = clock ?? [];
  return { ...parseDate(text), hour: Number(hour), minute: Number(minute), second: Number(second) };
}

function wrongType(name: string, field: string, value: JsonValue): Corruption {
  return row('WCI-SUB-032', name, inElement('flights', setTo(field, value)));
}

function inLaterLeg(name: string, edit: fc.Arbitrary<Mutation>): Corruption {
  return {
    ...row('WCI-SUB-033', name, inElement('flights', edit, 1)),
    applicable: (body) => objectsAt(body, 'flights').length > 1,
  };
}

// One airline operates all legs, so the same fault stands in each of them.
function inEveryFlight(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return edit.map((change) => (body: JsonObject) => ({
    ...body,
    flights: objectsAt(body, 'flights').map(change),
  }));
}

function notAlphanumeric(): readonly ((code: string) => string)[] {
  return [
    (code) => `${code.slice(0, -1)}!`,
    (code) => '!'.repeat(code.length),
    (code) => `*${code.slice(1)}`,
  ];
}

function clockRow(violation: DateTimeViolation, field: string): Corruption {
  const edit = violation.text.map((render) => (flight: JsonObject) => {
    const text = render(parseLocal(textAt(flight, 'departure_datetime')));
    return { ...(violation.later ? without(flight, 'arrival_datetime') : flight), [field]: text };
  });
  const apply = violation.later ? atEnd('last', 'flights', edit) : inElement('flights', edit);
  return row(violation.rule, violation.name, apply, violation.refusal);
}
