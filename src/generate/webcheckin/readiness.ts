import * as fc from 'fast-check';
import { companionOf } from '../../spec/kit/companion.ts';
import { malformedEmail, completePassenger } from './passenger.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { drop, inMember, setTo, type Mutation } from '../../spec/kit/mutation.ts';

type PassengersChange = (complete: readonly JsonObject[]) => readonly JsonObject[];

/** A change of complete passengers that decides whether the request is ready, with the rule that says so. */
export interface ReadinessChange {
  readonly rule: string;
  readonly name: string;
  /** The itineraries to which the rule applies. */
  readonly scope: 'international' | 'domestic' | 'any';
  /** Where the rule is sharp: an update may refuse a malformed email, a subscribe may not. */
  readonly sharpOn: 'subscribe' | 'both';
  readonly apply: fc.Arbitrary<PassengersChange>;
}

/** Changes that leave the request incomplete, each by one rule. */
export const readinessGaps: readonly ReadinessChange[] = [
  international('WCI-RDY-001', 'without-passport', anyPassenger(lacking('passport'))),
  international('WCI-RDY-002', 'without-number', anyPassenger(inPassport(lacking('number')))),
  international('WCI-RDY-003', 'without-date_of_issue', anyPassenger(inPassport(lacking('date_of_issue')))),
  international('WCI-RDY-004', 'without-expiry_date', anyPassenger(inPassport(lacking('expiry_date')))),
  international('WCI-RDY-005', 'without-place_of_issue', anyPassenger(inPassport(lacking('place_of_issue')))),
  international('WCI-RDY-006', 'without-any-nationality', anyPassenger(bothNationalities())),
  international('WCI-RDY-009', 'one-of-two-without-number', oneOfTwo(inPassport(lacking('number')))),
  any('WCI-RDY-010', 'without-email', everyPassenger(lacking('email'))),
  { ...any('WCI-RDY-011', 'malformed-email', everyPassenger(badEmail())), sharpOn: 'subscribe' },
  international('WCI-RDY-016', 'document_url-only', anyPassenger(inPassport(onlyUrl()))),
];

/** Changes after which the request is still complete. */
export const readinessSufficiencies: readonly ReadinessChange[] = [
  // Some programs take the codes of Namibia and Norway for no value and for false.
  international(
    'WCI-RDY-007',
    'nationality-of-passenger',
    anyPassenger(both(inPassport(drop('nationality')(fc)), setTo('nationality', 'NA')(fc))),
  ),
  // An explicit null is where falling back is often forgotten.
  international(
    'WCI-RDY-007',
    'nationality-beside-null',
    anyPassenger(inPassport(setTo('nationality', null)(fc))),
  ),
  international(
    'WCI-RDY-008',
    'nationality-of-passport',
    anyPassenger(both(lacking('nationality'), inPassport(setTo('nationality', 'NO')(fc)))),
  ),
  any('WCI-RDY-012', 'email-of-the-second-only', atOneOfTwo(0, lacking('email'))),
  any('WCI-RDY-012', 'email-of-the-first-only', atOneOfTwo(1, lacking('email'))),
  any('WCI-RDY-012', 'email-of-the-third-only', thirdAlone(lacking('email'))),
  { ...any('WCI-RDY-013', 'malformed-email-of-the-first', atOneOfTwo(0, badEmail())), sharpOn: 'subscribe' },
  { ...any('WCI-RDY-013', 'malformed-email-of-the-second', atOneOfTwo(1, badEmail())), sharpOn: 'subscribe' },
  {
    ...any('WCI-RDY-015', 'domestic-without-passport', everyPassenger(lacking('passport'))),
    scope: 'domestic',
  },
];

/** Passengers that are not ready, and the rule that says what they lack. */
interface IncompletePassengers {
  readonly rule: string;
  readonly name: string;
  readonly passengers: readonly JsonObject[];
}

/** Passengers that leave a request incomplete on such an itinerary, wherever it is sent. */
export function incompletePassengers(
  now: number,
  isInternational: boolean,
): fc.Arbitrary<IncompletePassengers> {
  const gaps = readinessGaps.filter(
    ({ scope, sharpOn }) => sharpOn === 'both' && (isInternational || scope === 'any'),
  );
  const complete = fc.array(completePassenger(now), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    ...gaps.map(({ rule, name, apply }) =>
      fc
        .tuple(complete, apply)
        .map(([passengers, change]) => ({ rule, name, passengers: change(passengers) })),
    ),
  );
}

/** Record locators that no reading takes for valid; whether other lengths are is open (WCI-OPN-045). */
export const invalidPnr: fc.Arbitrary<string> = fc.constantFrom('!!', '', '?!*', '------');

type Edit = fc.Arbitrary<Mutation>;

function inPassport(edit: Edit): Edit {
  return inMember('passport', {}, () => edit)(fc);
}

function international(rule: string, name: string, apply: fc.Arbitrary<PassengersChange>): ReadinessChange {
  return { rule, name, scope: 'international', sharpOn: 'both', apply };
}

function any(rule: string, name: string, apply: fc.Arbitrary<PassengersChange>): ReadinessChange {
  return { rule, name, scope: 'any', sharpOn: 'both', apply };
}

// Absent or null: what an empty text means for readiness is not spoken of.
function lacking(member: string): Edit {
  return fc.oneof(drop(member)(fc), setTo(member, null)(fc));
}

function bothNationalities(): Edit {
  return both(lacking('nationality'), inPassport(lacking('nationality')));
}

function both(one: Edit, other: Edit): Edit {
  return fc.tuple(one, other).map(
    ([first, second]) =>
      (passenger) =>
        second(first(passenger)),
  );
}

function badEmail(): Edit {
  return malformedEmail.map((email) => (passenger) => ({ ...passenger, email }));
}

function onlyUrl(): Edit {
  return fc.constant(() => ({ document_url: 'https://example.com/gatecheck/passport.pdf' }));
}

function anyPassenger(edit: Edit): fc.Arbitrary<PassengersChange> {
  return fc.tuple(fc.nat({ max: 11 }), edit).map(
    ([place, change]) =>
      (passengers) =>
        passengers.map((passenger, at) => (at === place % passengers.length ? change(passenger) : passenger)),
  );
}

function everyPassenger(edit: Edit): fc.Arbitrary<PassengersChange> {
  return edit.map((change) => (passengers) => passengers.map(change));
}

function atOneOfTwo(place: 0 | 1, edit: Edit): fc.Arbitrary<PassengersChange> {
  return edit.map((change) => (passengers) => {
    const [first, second] = passengers;
    if (first === undefined) return [];
    const two = [first, second ?? companionOf(first)];
    return two.map((passenger, at) => (at === place ? change(passenger) : passenger));
  });
}

/** Two companions with the edit, and the first passenger as he is behind them. */
function thirdAlone(edit: Edit): fc.Arbitrary<PassengersChange> {
  return edit.map((change) => ([first]) => {
    if (first === undefined) return [];
    const second = companionOf(first);
    return [...[second, companionOf(second)].map(change), first];
  });
}

function oneOfTwo(edit: Edit): fc.Arbitrary<PassengersChange> {
  return anyPassenger(edit).map((change) => ([first, second]) => {
    if (first === undefined) return [];
    return change([first, second ?? companionOf(first)]);
  });
}
