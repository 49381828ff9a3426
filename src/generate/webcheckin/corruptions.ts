import * as fc from 'fast-check';
import { bookingTable } from '../../spec/grammar/booking.ts';
import { callbackData } from '../../spec/grammar/callbackData.ts';
import { flightTable } from '../../spec/grammar/flight.ts';
import { journeyForms } from '../../spec/grammar/journey.ts';
import { passengerTable } from '../../spec/grammar/passenger.ts';
import { holderOf, inPassengers, updatedPassengers, updateForms } from '../../spec/grammar/update.ts';
import { companionOf, withCompanion } from '../../spec/kit/companion.ts';
import { isJsonObject, objectsAt, without, type JsonObject } from '../../spec/kit/json.ts';
import { always, inElement, inTurn, type Mutation } from '../../spec/kit/mutation.ts';
import { corruptionOf, corruptionsOf, isFault, row, type Corruption } from '../kit/corruption.ts';

/** Trips that no service may accept, whichever step refuses them. */
export const journeyCorruptions = (now: number): readonly Corruption[] =>
  journeyForms(now)
    .filter(isFault)
    .map((form) => corruptionOf(form));

/** Faults of a subscribe's callbackData; a booking without callback gets one first. */
export const checkinCallbackCorruptions: readonly Corruption[] = corruptionsOf({ callbackData });

const legFaults = corruptionsOf(flightTable);
const anyLegCorruptions = corruptionsOf({ flights: { forms: [], each: flightTable } });
// The time zone of an airport is no part of a clock's text.
const isOfClock = ({ rule }: Corruption) => rule.startsWith('WCI-DT-') && rule !== 'WCI-DT-021';

/** Faults in the text of a clock, in any leg where that breaks no other rule. */
export const clockCorruptions: readonly Corruption[] = anyLegCorruptions.filter(isOfClock);

/** All other faults within one leg. */
export const legCorruptions: readonly Corruption[] = anyLegCorruptions.filter((row) => !isOfClock(row));

/** Faults in a leg behind the first. */
export const laterLegCorruptions: readonly Corruption[] = legFaults
  .filter(
    ({ rule, name }) => /-03[01]$/.test(rule) || /^(number-flight_number|object-destination)$/.test(name),
  )
  .map(({ name, apply }) => ({
    ...row(
      'WCI-SUB-033',
      `later-leg-with-${name}`.replace('with-absent', 'without'),
      inElement('flights', () => apply, 1)(fc),
    ),
    applicable: (body: JsonObject) => objectsAt(body, 'flights').length > 1,
  }));

const passengerForms = corruptionsOf(passengerTable);

/** Certain faults within one passenger, with the rule that names each for a subscribe. */
const passengerFaults: readonly Corruption[] = [
  ...passengerForms,
  ...['document-type-unknown', 'document-without-type'].map(inSecondDocument),
];

/** Faults within any passenger of a subscribe. */
export const passengerCorruptions: readonly Corruption[] = passengerFaults.map((fault) => ({
  ...fault,
  apply: inElement('passengers', () => fault.apply)(fc),
}));

/** Faults in a passenger behind the first. */
export const laterPassengerCorruptions: readonly Corruption[] = [
  ...['document-without-type', 'passport-not-object'].map((name) =>
    row('WCI-SUB-039', `later-passenger-${name}`, inLaterPassenger(named(name).apply)),
  ),
  ...['document-without-type', 'seat-not-object'].map((name) =>
    row('WCI-SUB-039', `third-passenger-${name}`, inThirdPassenger(named(name).apply)),
  ),
];

/** A passenger without a name: refused by one reading, counted as missing information by the other (WCI-OPN-042). */
export const missingNames: readonly Corruption[] = corruptionsOf(
  { passengers: { forms: [], each: { ...pick('first_name'), ...pick('last_name') } } },
  ({ kind }) => kind === 'lacking',
);

/** Faults of the lists of a subscribe as a whole, and of its other members. */
export const listCorruptions: readonly Corruption[] = Object.values(bookingTable(0)).flatMap(
  ({ forms, inside }) => (inside ? [] : forms.filter(isFault).map((form) => corruptionOf(form))),
);

/** Faults of the passengers, flights and lists of a subscribe. */
export const bookingCorruptions: readonly Corruption[] = [
  ...listCorruptions,
  ...anyLegCorruptions,
  ...laterLegCorruptions,
  ...passengerCorruptions,
  ...laterPassengerCorruptions,
];

/** Every certain way to break a web check-in subscribe, one rule at a time. */
export const subscribeCorruptions = (now: number): readonly Corruption[] => [
  ...bookingCorruptions,
  ...checkinCallbackCorruptions,
  ...journeyCorruptions(now),
];

/** Every certain way to break a web check-in update, whose passengers stand at the top or in payload. */
export const updateCorruptions: readonly Corruption[] = [
  ...updateForms.filter(isFault).map((form) => corruptionOf(form)),
  ...updatedPassengers
    .filter(isFault)
    .map((form) => corruptionOf(form, (edit) => inTurn(always(atTop), edit))),
  ...updatedPassengers.filter(isFault).map((form) => ({
    ...corruptionOf(form, (edit) => inTurn(always(inPayload), inPassengers(edit))),
    name: `payload-${form.name}`,
  })),
  ...passengerFaults.map(({ name, apply }) => ({
    ...row('WCI-UPD-025', name, inPassengers(inElement('passengers', () => apply))(fc)),
    applicable: (body: JsonObject) => holderOf(body) !== null,
  })),
];

function named(name: string): Corruption {
  const fault = passengerForms.find((one) => one.name === name);
  if (!fault) throw new Error(`there is no fault ${name} of a passenger`);
  return fault;
}

function pick(member: string) {
  const found = passengerTable[member];
  return found ? { [member]: found } : {};
}

function inSecondDocument(name: string): Corruption {
  const documents = [
    { type: 'VISA', document_number: 'GC1' },
    { type: 'VISA', document_number: 'GC2' },
  ];
  const form = passengerTable.documents?.each?.type?.forms.find((one) => one.name === name);
  if (!form) throw new Error(`there is no form ${name} of a document`);
  const two = always((passenger: JsonObject) => ({ ...passenger, documents }));
  return {
    ...corruptionOf(form, (edit) => inTurn(two, inElement('documents', edit, 1))),
    name: `second-${name}`,
  };
}

function inThirdPassenger(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  const three = always((body) => {
    const [first = {}] = objectsAt(body, 'passengers');
    const second = companionOf(first);
    return { ...body, passengers: [first, second, companionOf(second)] };
  });
  return inTurn(
    three,
    inElement('passengers', () => edit, 2),
  )(fc);
}

function inLaterPassenger(edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return inTurn(
    always(withCompanion),
    inElement('passengers', () => edit, 1),
  )(fc);
}

/** The same update with its passengers at the top. */
function atTop(body: JsonObject): JsonObject {
  const { payload } = body;
  if (holderOf(body) !== 'payload' || !isJsonObject(payload)) return body;
  return { ...without(body, 'payload', 'type'), passengers: objectsAt(payload, 'passengers') };
}

/** The same update with its passengers in payload. */
function inPayload(body: JsonObject): JsonObject {
  if (holderOf(body) !== 'top') return body;
  const payload = { passengers: objectsAt(body, 'passengers') };
  return { ...without(body, 'passengers'), type: 'passengers', payload };
}
