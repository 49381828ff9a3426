import * as fc from 'fast-check';
import { drop, rewrite, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { departureDateViolations } from '../kit/departureDates.ts';
import { flightCallbackCorruptions } from './flightCallbackCorruptions.ts';
import { flightNumberViolations } from './flightNumber.ts';
import { type JsonObject, textAt } from '../kit/json.ts';

const fields = ['flightNumber', 'departureDate', 'departureAirportIata', 'arrivalAirportIata'] as const;
const airportFields = ['departureAirportIata', 'arrivalAirportIata'] as const;

/** Every certain way to break a flight subscription, one rule at a time. */
export function flightSubscribeCorruptions(now: number): readonly Corruption[] {
  return [
    ...fields.flatMap((field) => [
      row('FLA-SUB-016', `absent-${field}`, drop(field)),
      row('FLA-SUB-016', `null-${field}`, setTo(field, null)),
      row('FLA-SUB-016', `${field}-of-other-type`, setTo(field, 123, true, [], {})),
      row('FLA-SUB-016', `${field}-in-an-array`, inAnArray(field)),
    ]),
    ...flightNumberViolations.map(({ lookupRule, name, text }) =>
      row(
        lookupRule === 'FLA-GET-042' ? 'FLA-SUB-045' : 'FLA-SUB-018',
        name,
        change(
          'flightNumber',
          text.map((value) => () => value),
        ),
      ),
    ),
    ...departureDateViolations(now).map(({ lookupRule, name, text }) =>
      row(dateRules[lookupRule] ?? 'FLA-SUB-019', name, change('departureDate', text)),
    ),
    ...airportFields.flatMap((field) => [
      row('FLA-SUB-020', `${field}-of-other-length`, rewrite(field, ...otherLengths)),
      row('FLA-SUB-020', `${field}-with-digit`, rewrite(field, withDigit)),
      row('FLA-SUB-020', `${field}-empty`, setTo(field, '')),
    ]),
    ...flightCallbackCorruptions,
  ];
}

/** The subscribe's rule for each rule of the lookup that is not about the form of a date. */
const dateRules: Readonly<Record<string, string>> = {
  'FLA-GET-023': 'FLA-SUB-033',
  'FLA-GET-024': 'FLA-SUB-034',
  'FLA-GET-041': 'FLA-SUB-044',
};

const otherLengths: readonly ((code: string) => string)[] = [
  (code) => code.slice(0, 2),
  (code) => `${code}A`,
];

const withDigit = (code: string) => `${code.slice(0, 1)}1${code.slice(2)}`;

/** A reader that turns any value into text gets the right text. */
function inAnArray(field: string): fc.Arbitrary<Mutation> {
  return fc.constant((body: JsonObject) => ({ ...body, [field]: [textAt(body, field)] }));
}

function change(field: string, renders: fc.Arbitrary<(valid: string) => string>): fc.Arbitrary<Mutation> {
  return renders.map((render) => (body: JsonObject) => ({ ...body, [field]: render(textAt(body, field)) }));
}
