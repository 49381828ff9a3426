import * as fc from 'fast-check';
import { describe } from 'vitest';
import { breaksIn, testCorruptions, type Breaks } from '../../../test/laws/corruptions.ts';
import { passengerBreaks, updateSchema } from '../../../test/laws/webCheckIn.ts';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';
import { passenger } from './passenger.ts';
import { updateCorruptions } from './corruptions.ts';

const passengers = fc.array(passenger(Date.UTC(2031, 2, 4)), { minLength: 1, maxLength: 3 });
const identifier = fc.constantFrom<JsonObject>(
  { checkin_id: 'c1' },
  { webcheckin_id: 'c1' },
  { booking_id: 7 },
);
const operation = fc.constantFrom<JsonObject>({}, { operation: 'update' });

function update(subject: (list: JsonValue) => JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(identifier, operation, passengers)
    .map(([id, named, list]) => ({ ...id, ...named, ...subject(list) }));
}

const listBreaks = (prefix: string, place: string): Breaks =>
  Object.fromEntries([
    ...['empty-passengers', 'passengers-as-numbered-object', 'passengers-as-object'].map((name) => [
      prefix + name,
      place,
    ]),
    ...['text', 'json-text'].map((form) => [`${prefix}passengers-as-${form}`, place]),
    ...['null', 'texts', 'numbers', 'lists', 'empty-lists'].map((form) => [
      `${prefix}passengers-of-${form}`,
      `${place}.*`,
    ]),
  ]) as Breaks;

const breaksAt = (place: string): Breaks => ({
  'no-identifier': 'identifier',
  'pnr-without-payload': 'payload.pnr',
  'pnr-with-empty-payload': 'payload.pnr',
  'pnr-null': 'payload.pnr',
  'pnr-empty': 'payload.pnr',
  'pnr-at-top-level': 'payload.pnr',
  'type-unknown': 'type',
  'type-true': 'type',
  'operation-unknown': 'operation',
  'operation-unknown-of-a-pnr': 'operation',
  'pnr-number': 'payload.pnr',
  'pnr-array': 'payload.pnr',
  'pnr-boolean': 'payload.pnr',
  'nothing-to-do': 'no passengers',
  ...listBreaks('', 'passengers'),
  ...listBreaks('payload-', 'payload.passengers'),
  'type-without-passengers': 'no passengers',
  ...breaksIn(`${place}.*`, passengerBreaks),
});

describe.each([
  ['top-level passengers', 'passengers', update((list) => ({ passengers: list }))],
  ['passengers of that type', 'passengers', update((list) => ({ type: 'passengers', passengers: list }))],
  [
    'passengers in payload',
    'payload.passengers',
    update((list) => ({ type: 'passengers', payload: { passengers: list } })),
  ],
])('corruptions of an update with %s', (_, place, valid) => {
  testCorruptions(updateCorruptions, valid, { schema: updateSchema, breaks: breaksAt(place) });
});
