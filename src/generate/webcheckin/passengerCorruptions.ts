import * as fc from 'fast-check';
import { inTurn, drop, inElement, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { companionOf, withCompanion } from './companion.ts';
import { isJsonObject, objectsAt, type JsonObject } from '../kit/json.ts';

/** A certain fault within one passenger, with the rule that names it for a subscribe. */
interface PassengerFault {
  readonly rule: string;
  readonly name: string;
  readonly edit: fc.Arbitrary<Mutation>;
}

export const passengerFaults: readonly PassengerFault[] = [
  { rule: 'WCI-SUB-047', name: 'document-without-type', edit: inDocument(drop('type')) },
  { rule: 'WCI-SUB-047', name: 'document-not-object', edit: setTo('documents', ['VISA'], [7], [['VISA']]) },
  // Never another letter case of a known type: that is open (WCI-OPN-032).
  {
    rule: 'WCI-SUB-048',
    name: 'document-type-unknown',
    edit: inDocument(setTo('type', 'PASSPORT', 'WORK_PERMIT', 'X')),
  },
  { rule: 'WCI-SUB-052', name: 'documents-not-array', edit: setTo('documents', {}, 'VISA', 7, true) },
  // Never `back` (WCI-OPN-002).
  {
    rule: 'WCI-SUB-055',
    name: 'row-preference-unknown',
    edit: inSeat('row_preference', 'wing', 'exit', 'window'),
  },
  {
    rule: 'WCI-SUB-056',
    name: 'column-preference-unknown',
    edit: inSeat('column_preference', 'left', 'front', '12'),
  },
  { rule: 'WCI-SUB-058', name: 'passport-not-object', edit: setTo('passport', 'GC1234567', [], 7, true) },
  { rule: 'WCI-SUB-068', name: 'seat-not-object', edit: setTo('seat_preference', 'x', [], 7, true) },
  { rule: 'WCI-SUB-069', name: 'first_name-not-text', edit: setTo('first_name', 5, true, {}, ['Testa']) },
  { rule: 'WCI-SUB-069', name: 'last_name-not-text', edit: setTo('last_name', 5, true, {}, ['Gatecheck']) },
  {
    rule: 'WCI-SUB-048',
    name: 'second-document-type-unknown',
    edit: inSecondDocument({ type: 'WORK_PERMIT', document_number: 'GC2' }),
  },
  {
    rule: 'WCI-SUB-047',
    name: 'second-document-without-type',
    edit: inSecondDocument({ document_number: 'GC2' }),
  },
];

/** The faults at any passenger of a subscribe, and in a later one. */
export const passengerCorruptions: readonly Corruption[] = [
  ...passengerFaults.map(({ rule, name, edit }) => row(rule, name, inElement('passengers', edit))),
  row('WCI-SUB-039', 'later-passenger-document-without-type', inLaterPassenger(inDocument(drop('type')))),
  row('WCI-SUB-039', 'later-passenger-passport-not-object', inLaterPassenger(setTo('passport', 'GC1234567'))),
  row('WCI-SUB-039', 'third-passenger-document-without-type', inThirdPassenger(inDocument(drop('type')))),
  row('WCI-SUB-039', 'third-passenger-seat-not-object', inThirdPassenger(setTo('seat_preference', 'x'))),
];

/** A passenger without a name: refused by one reading, counted as missing information by the other (WCI-OPN-042). */
export const missingNames: readonly Corruption[] = [
  ...missingName('WCI-SUB-037', 'first_name'),
  ...missingName('WCI-SUB-038', 'last_name'),
];

function missingName(rule: string, field: string): readonly Corruption[] {
  return [
    row(rule, `absent-${field}`, inElement('passengers', drop(field))),
    row(rule, `null-${field}`, inElement('passengers', setTo(field, null))),
    row(rule, `empty-${field}`, inElement('passengers', setTo(field, ''))),
  ];
}

function inDocument(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return inTurn(fc.constant(withDocument), inElement('documents', edit));
}

function withDocument(passenger: JsonObject): JsonObject {
  return objectsAt(passenger, 'documents').length > 0
    ? passenger
    : { ...passenger, documents: [{ type: 'VISA' }] };
}

function inSecondDocument(faulty: JsonObject): fc.Arbitrary<Mutation> {
  return fc.constant((passenger: JsonObject) => ({
    ...passenger,
    documents: [{ type: 'VISA', document_number: 'GC1' }, faulty],
  }));
}

function inSeat(field: string, ...values: readonly string[]): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...values).map((value) => (passenger: JsonObject) => {
    const { seat_preference: seat } = passenger;
    return { ...passenger, seat_preference: { ...(isJsonObject(seat) ? seat : {}), [field]: value } };
  });
}

function inThirdPassenger(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return inTurn(
    fc.constant((body: JsonObject) => {
      const [first = {}] = objectsAt(body, 'passengers');
      const second = companionOf(first);
      return { ...body, passengers: [first, second, companionOf(second)] };
    }),
    inElement('passengers', edit, 2),
  );
}

function inLaterPassenger(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return inTurn(fc.constant(withCompanion), inElement('passengers', edit, 1));
}
