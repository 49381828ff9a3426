import { expect, test } from 'vitest';
import type { Table } from '../../spec/grammar/form.ts';
import { passengerTable } from '../../spec/grammar/passenger.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { simplePassenger } from './passenger.ts';
import { passengersInShape } from './shapes.ts';

const complete = simplePassenger(Date.UTC(2031, 10, 4));

function freeForms(table: Table): readonly (readonly [rule: string, name: string])[] {
  return Object.values(table).flatMap(({ forms, also = [], inside = {}, each = {} }) => [
    ...[...forms, ...also].flatMap(({ kind, rule, name }) =>
      kind === 'free' && rule !== null ? [[rule, name] as const] : [],
    ),
    ...freeForms(inside),
    ...freeForms(each),
  ]);
}

const byRule = Object.entries(Object.groupBy(freeForms(passengerTable), ([rule]) => rule));

test.each(byRule)(
  '%s is shown by passengers with each of its forms, and with no fault',
  (rule, forms = []) => {
    const sent: JsonObject = { passengers: passengersInShape(complete, [rule]) };
    const features = readForms(sent, { operation: 'wci.subscribe', carrier: 'json' });
    const read = new Set(features.filter((one) => one.rule === rule).map(({ name }) => name));
    expect([...read].sort()).toEqual([...new Set(forms.map(([, name]) => name))].sort());
    expect(features.filter(({ kind, at }) => kind === 'fault' && at !== 'flights')).toEqual([]);
  },
);

test('forms of several rules share passengers', () => {
  const rules = byRule.map(([rule]) => rule);
  const alone = rules.flatMap((rule) => passengersInShape(complete, [rule]));
  expect(passengersInShape(complete, rules).length).toBeLessThan(alone.length / 2);
});
