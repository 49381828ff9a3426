import * as fc from 'fast-check';
import { row, type Corruption, type Mutation } from '../kit/corruption.ts';
import { departureDateViolations } from '../kit/departureDates.ts';
import { flightNumberViolations } from './flightNumber.ts';

/** The query of a lookup; a list stands for a parameter that is sent repeatedly. */
export type LookupQuery = Readonly<Record<string, string | readonly string[]>>;

/** Every certain way to break a lookup, one rule at a time. */
export function lookupCorruptions(now: number): readonly Corruption<LookupQuery>[] {
  return [
    row('FLA-GET-008', 'absent-flightNumber', drop('flightNumber')),
    row(
      'FLA-GET-008',
      'empty-flightNumber',
      replace('flightNumber', () => ''),
    ),
    row('FLA-GET-009', 'absent-departureDate', drop('departureDate')),
    row(
      'FLA-GET-009',
      'empty-departureDate',
      replace('departureDate', () => ''),
    ),
    row(
      'FLA-GET-010',
      'repeated-flightNumber',
      replace('flightNumber', (valid) => [valid, 'ZZ9999']),
    ),
    row(
      'FLA-GET-010',
      'repeated-departureDate',
      replace('departureDate', (valid) => [valid, valid]),
    ),
    ...flightNumberViolations.map(({ lookupRule, name, text }) => {
      const renders = text.map((value) => () => value);
      return row(lookupRule, name, change('flightNumber', renders));
    }),
    ...departureDateViolations(now).map(({ lookupRule, name, text }) =>
      row(lookupRule, name, change('departureDate', text)),
    ),
  ];
}

type Render = (valid: string) => string | readonly string[];

function drop(parameter: string): fc.Arbitrary<Mutation<LookupQuery>> {
  return fc.constant((query: LookupQuery) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => name !== parameter)),
  );
}

function replace(parameter: string, render: Render): fc.Arbitrary<Mutation<LookupQuery>> {
  return change(parameter, fc.constant(render));
}

function change(parameter: string, renders: fc.Arbitrary<Render>): fc.Arbitrary<Mutation<LookupQuery>> {
  return renders.map((render) => (query: LookupQuery) => ({
    ...query,
    [parameter]: render([query[parameter] ?? ''].flat()[0] ?? ''),
  }));
}
