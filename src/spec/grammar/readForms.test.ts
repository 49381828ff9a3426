import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { validFlightNumber } from '../../generate/flightAlerts/flightNumbers.ts';
import { corrupted, corruptionOf, corruptionsOf, type Corruption } from '../../generate/kit/corruption.ts';
import { bookingDraft, renderBooking } from '../../generate/webcheckin/booking.ts';
import { checkinCallback, flightCallback } from '../../generate/webcheckin/callback.ts';
import { passenger } from '../../generate/webcheckin/passenger.ts';
import { listQuery } from '../../generate/webcheckin/listQueries.ts';
import { passengersUpdate } from '../../generate/webcheckin/update.ts';
import { departureDates } from '../../../test/laws/flightAndDate.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import type { JsonObject } from '../kit/json.ts';
import { itinerariesToTry } from '../kit/places.ts';
import { bookingTable } from './booking.ts';
import { flightSubscribeTable, lookupTable } from './flightSubscribe.ts';
import type { Asked, Form, Table } from './form.ts';
import { listTable } from './listQuery.ts';
import { passengerTable } from './passenger.ts';
import { readForms, type Feature } from './readForms.ts';
import { statusForms } from './statusQuery.ts';
import { inPassengers, updatedPassengers, updateForms } from './update.ts';

const now = Date.UTC(2031, 10, 4, 23, 6, 7);
const all = () => true;
const itineraries = (['international', 'twoLeg', 'dateLine'] as const).flatMap((kind) =>
  itinerariesToTry(kind, null),
);
const callback = checkinCallback('https://hooks.example.com/a', 'a1');
const booking = fc
  .tuple(bookingDraft(now), fc.constantFrom(...itineraries), fc.option(callback))
  .map(([draft, itinerary, callbackData]) => ({
    ...renderBooking(draft, { itinerary, now, pnr: 'ABC123' }),
    callbackData,
  }));
const passengers = fc.array(passenger(now), { minLength: 1, maxLength: 3 });
const update = passengers.chain((list) => passengersUpdate({ checkin_id: 'c1' }, list));
const leg = fc.record(
  { flightNumber: validFlightNumber, departureDate: departureDates(now) },
  { noNullPrototype: true },
);
const subscription = fc
  .tuple(leg, fc.option(flightCallback('https://hooks.example.com/a', 'a1')))
  .map(([one, callbackData]) => ({
    ...one,
    departureAirportIata: 'DOH',
    arrivalAirportIata: 'LHR',
    callbackData,
  }));
const updateTable: Table = { passengers: { forms: updatedPassengers, each: passengerTable } };

const of = (operation: Asked['operation'], table: Table, valid: fc.Arbitrary<JsonObject>) => ({
  operation,
  valid,
  made: corruptionsOf(table, all),
});
const whole = (operation: Asked['operation'], forms: readonly Form[], valid: fc.Arbitrary<JsonObject>) => ({
  operation,
  valid,
  made: forms.map((form) => corruptionOf(form)),
});
const tables = [
  of('wci.subscribe', bookingTable(now), booking),
  {
    ...of(
      'wci.update',
      updateTable,
      passengers.map((list) => ({ checkin_id: 'c1', passengers: list })),
    ),
    made: corruptionsOf(updateTable, all).map((row) => ({
      ...row,
      apply: inPassengers(() => row.apply)(fc),
    })),
  },
  whole('wci.update', updateForms, update),
  of('wci.list', listTable, listQuery),
  whole('wci.status', statusForms, fc.constantFrom({ checkin_id: 'c1' }, { checkinId: 'c1' })),
  of('fla.lookup', lookupTable(now), leg),
  of('fla.subscribe', flightSubscribeTable(now), subscription),
];

/** Forms that only one operation has. */
const isElsewhere = ({ name }: Corruption, operation: string) =>
  operation === 'wci.update' ? name === 'email-malformed' : name === 'email-malformed-in-update';

describe.each(tables)('the forms of $operation', ({ operation, valid, made }) => {
  const ask = (carrier: Asked['carrier'], sent: JsonObject) => readForms(sent, { operation, carrier, now });
  const faults = (features: readonly Feature[]) => [
    ...new Set(features.filter(({ kind }) => kind === 'fault').map(({ name }) => name)),
  ];

  test('only a form that says so goes by the clock', () => {
    const dated = new Set(formsIn(operation).flatMap(({ name, isDated = false }) => (isDated ? name : [])));
    const undated = (features: readonly Feature[]) => features.filter(({ name }) => !dated.has(name));
    expectLaws(valid, (sent) => {
      const read = (asked: Partial<Asked>) =>
        undated(readForms(sent, { operation, carrier: 'json', ...asked }));
      expect(read({})).toEqual(read({ now: 0 }));
    });
  });

  test('a valid request has no fault', () => {
    expectLaws(valid, (sent) => expect(faults(ask('json', sent))).toEqual([]));
  });

  test.each(made.filter((row) => !isElsewhere(row, operation)))('$name is read as it is made', (row) => {
    const carrier = row.name.endsWith('-in-a-part') ? 'multipart' : 'json';
    const form = formsIn(operation).find(({ name }) => name === row.name);
    expectLaws(
      corrupted(row, valid),
      (sent) => {
        const features = ask(carrier, sent);
        expect(features.map(({ name }) => name)).toContain(row.name);
        expect(faults(features)).toEqual(form?.kind === 'fault' ? [row.name] : []);
      },
      15,
    );
  });
});

test('every sentence of a form is in the catalogue', () => {
  const catalogue = loadCatalogue();
  const rules = tables.flatMap(({ operation }) => formsIn(operation)).flatMap(({ rule }) => rule ?? []);
  expect(rules.filter((rule) => !catalogue.has(rule))).toEqual([]);
});

test('where a fault stands decides which sentence it breaks', () => {
  const [leg, one] = [{ airline: 'EK' }, { first_name: 'T', last_name: 'G' }];
  const rows = (sent: JsonObject, asked: Partial<Asked> = {}) =>
    readForms(sent, { operation: 'wci.subscribe', carrier: 'json', ...asked }).flatMap(
      ({ kind, rule, at, place }) => (kind === 'fault' ? [`${rule ?? ''} ${at} ${place}`] : []),
    );
  const bad = { ...one, passport: 'x' };
  expect(rows({ flights: [], passengers: [bad, bad, bad] })).toEqual([
    'WCI-SUB-025 flights first',
    'WCI-SUB-058 passengers[0].passport first',
    'WCI-SUB-058 passengers[1].passport later',
    'WCI-SUB-039 passengers[2].passport later',
  ]);
  expect(rows({ flights: [leg, leg], passengers: [one] })).toContain('WCI-SUB-033 flights[1].origin later');
  expect(rows({ flights: [], passengers: [one] }, { carrier: 'multipart' })).toEqual([
    'WCI-MP-005 flights first',
  ]);
  const changed = { checkin_id: 'c', type: 'passengers', payload: { passengers: [bad] } };
  expect(rows(changed, { operation: 'wci.update' })).toEqual([
    'WCI-UPD-025 payload.passengers[0].passport first',
  ]);
});

function formsIn(operation: Asked['operation']): readonly Form[] {
  const { [operation]: found = [] } = {
    'wci.subscribe': inTable(bookingTable(now)),
    'wci.update': [...updateForms, ...inTable(updateTable)],
    'wci.list': inTable(listTable),
    'wci.status': statusForms,
    'fla.lookup': inTable(lookupTable(now)),
    'fla.subscribe': inTable(flightSubscribeTable(now)),
  } as Partial<Record<Asked['operation'], readonly Form[]>>;
  return found;
}

function inTable(table: Table): readonly Form[] {
  return Object.values(table).flatMap(({ forms, whole: after = [], inside = {}, each = {} }) => [
    ...forms,
    ...after,
    ...inTable(inside),
    ...inTable(each),
  ]);
}
