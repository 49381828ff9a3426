import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import type { Place } from '../webcheckin/policyTerms.ts';
import type { PayloadRule } from '../webcheckin/payloadRules.ts';
import { refusing, rewriting } from './handlers.ts';
import { isPart, type Part } from './part.ts';
import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

const inUpdate = ({ operation }: Place) => operation === 'update';
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const onlyOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Reads other passengers of a JSON body than were sent. */
const readingPassengers = (change: (passenger: Part) => Part) =>
  rewriting(({ body }) =>
    Array.isArray(body.passengers)
      ? {
          ...body,
          passengers: body.passengers.map((one: unknown) => (isPart(one) ? change(one) : one)),
        }
      : null,
  );

/** Does not enforce any rule of a group where `when` holds. */
function skippingAll(group: RegExp, when: (place: Place) => boolean) {
  const { enforces } = documentedWebCheckinPolicy;
  return (rule: PayloadRule, place: Place) => !(group.test(rule) && when(place)) && enforces(rule, place);
}

/** Refuses null for an optional field of a passenger. */
function demandingValue(field: string) {
  return alsoEnforcing('passenger.optional.notNull', (place) => place.field === field);
}

/** Mistakes in which a rule of the payload holds in one place, form or size and not in another. */
export const checkinFormDefects: readonly Defect[] = [
  // Values and types
  sometimes('airport-shorter', 'An airport code may be shorter than three letters.', 'WCI-SUB-035', {
    enforces: skipping('flight.airport.letters', ({ value }) => text(value).length < 3),
  }),
  sometimes(
    'email-null-refused',
    'An email must not be null.',
    'WCI-SUB-041 also WCI-MP-012 WCI-UPD-010 WCI-UPD-021',
    { enforces: demandingValue('email') },
  ),
  sometimes('phone-null-refused', 'A phone must not be null.', 'WCI-SUB-041', {
    enforces: demandingValue('phone'),
  }),
  sometimes('country-code-null-refused', 'A country_code must not be null.', 'WCI-SUB-041', {
    enforces: demandingValue('country_code'),
  }),
  sometimes('date-of-birth-null-refused', 'A date_of_birth must not be null.', 'WCI-SUB-041', {
    enforces: demandingValue('date_of_birth'),
  }),
  sometimes('documents-null-refused', 'documents must not be null.', 'WCI-SUB-041 also WCI-SUB-051', {
    enforces: demandingValue('documents'),
  }),
  sometimes('seat-null-refused', 'A seat_preference must not be null.', 'WCI-SUB-041 also WCI-SUB-057', {
    enforces: demandingValue('seat_preference'),
  }),
  sometimes(
    'email-null-refused-in-update',
    'The email of an update must not be null.',
    'WCI-SUB-041 also WCI-MP-012 WCI-UPD-010 WCI-UPD-021',
    {
      enforces: alsoEnforcing(
        'passenger.optional.notNull',
        (place) => inUpdate(place) && place.field === 'email',
      ),
    },
  ),

  // Lists
  sometimes(
    'documents-of-nothing',
    'An empty list among documents is none.',
    'WCI-SUB-047 also WCI-UPD-025',
    {
      front: readingPassengers((one) =>
        Array.isArray(one.documents) && one.documents.some(isEmptyList)
          ? { ...one, documents: one.documents.filter((document) => !isEmptyList(document)) }
          : one,
      ),
    },
  ),
  sometimes('update-id-in-a-list', 'A list of one id is an id.', 'WCI-UPD-009 also WCI-UPD-008', {
    front: rewriting(({ body: { booking_id, checkin_id, ...rest } }) => ({
      ...rest,
      ...(booking_id === undefined ? {} : { booking_id: onlyOf(booking_id) }),
      ...(checkin_id === undefined ? {} : { checkin_id: onlyOf(checkin_id) }),
    })),
  }),
  sometimes('payload-of-one-passenger', 'One passenger in payload is a list of one.', 'WCI-UPD-048', {
    front: rewriting(({ body }) =>
      isPart(body.payload) && isPart(body.payload.passengers)
        ? { ...body, payload: { ...body.payload, passengers: [body.payload.passengers] } }
        : null,
    ),
  }),

  // Clocks
  sometimes('clock-offset-of-zero', 'An offset -00:00 is refused.', 'WCI-DT-007', {
    front: refusing(({ text: sent }) => sent.includes('-00:00"')),
  }),
  sometimes('clock-zone-name-of-arrival', 'An arrival may end with anything.', 'WCI-DT-023 also WCI-DT-034', {
    enforces: skipping(
      'flight.clock.format',
      ({ field, value }) => field === 'arrival_datetime' && /^\d{4}/.test(text(value)),
    ),
  }),

  // In an upload
  sometimes(
    'upload-flights-unchecked',
    'The flights of a multipart body are not checked.',
    'WCI-MP-005 also WCI-LST-018 WCI-LST-019 WCI-SUB-030 WCI-SUB-031 WCI-SUB-032 WCI-SUB-033',
    {
      enforces: skippingAll(
        /^flights?\.(required|type|length|items|array|least)/,
        ({ multipart }) => multipart,
      ),
    },
  ),
  sometimes(
    'upload-webhook-unchecked',
    'The callbackData of a multipart body is not checked.',
    'WCI-MP-003',
    {
      enforces: skippingAll(/^callback\./, ({ multipart }) => multipart),
    },
  ),

  // Webhooks
  sometimes('webhook-url-number', 'A callbackUrl that is no string registers nothing.', 'WCI-CBR-017', {
    enforces: skipping(
      'callback.url.required',
      ({ value }) => value !== undefined && typeof value !== 'string',
    ),
  }),
  sometimes('webhook-header-object', 'An auth_header that is no string registers nothing.', 'WCI-CBR-018', {
    enforces: skipping(
      'callback.auth.required',
      // Null is the same as none, which has a row of its own.
      ({ value }) => value !== undefined && value !== null && typeof value !== 'string',
    ),
  }),
  sometimes('webhook-text', 'callbackData that is no object registers nothing.', 'WCI-CBR-019', {
    enforces: skipping('callback.object'),
  }),
  ...[
    ['webhook-empty-list', 'callbackData that is an empty list registers nothing.', isEmptyList] as const,
    [
      'webhook-false',
      'callbackData of false registers nothing.',
      (value: unknown) => value === false,
    ] as const,
  ].map(([id, breaks, isNothing]) =>
    sometimes(id, breaks, 'WCI-CBR-019', {
      front: rewriting(({ request, body }) =>
        request.url.includes('webcheckin') && isNothing(body.callbackData)
          ? { ...body, callbackData: null }
          : null,
      ),
    }),
  ),
  sometimes('passport-empty-list', 'An empty list is an empty passport.', 'WCI-SUB-058 also WCI-UPD-025', {
    front: readingPassengers((one) => (isEmptyList(one.passport) ? { ...one, passport: {} } : one)),
  }),
  sometimes('seat-empty-list', 'An empty list is an empty preference.', 'WCI-SUB-068 also WCI-UPD-025', {
    front: readingPassengers((one) =>
      isEmptyList(one.seat_preference) ? { ...one, seat_preference: {} } : one,
    ),
  }),
  sometimes('name-of-a-list', 'A list of one name is a name.', 'WCI-SUB-069 also WCI-UPD-025', {
    front: readingPassengers((one) => ({
      ...one,
      first_name: onlyOf(one.first_name),
      last_name: onlyOf(one.last_name),
    })),
  }),
  sometimes('airport-longer', 'An airport code may be longer than three letters.', 'WCI-SUB-035', {
    enforces: skipping('flight.airport.letters', ({ value }) => /^[A-Z]{4,}$/.test(text(value))),
  }),
  sometimes('name-number-in-update', 'A name of an update may be a number.', 'WCI-UPD-025 also WCI-MP-020', {
    enforces: skipping('passenger.name.type', inUpdate),
  }),
  always('name-number', 'A name may be a number.', 'WCI-SUB-069 also WCI-UPD-025 WCI-MP-020', {
    enforces: skipping('passenger.name.type'),
  }),
  sometimes(
    'seat-text-in-update',
    'A seat preference of an update may be a text.',
    'WCI-UPD-025 also WCI-MP-020',
    {
      enforces: skipping('seat.object', inUpdate),
    },
  ),
  sometimes(
    'seat-text',
    'A seat preference may be a text.',
    'WCI-SUB-068 also WCI-SUB-039 WCI-UPD-025 WCI-MP-020',
    {
      enforces: skipping('seat.object'),
    },
  ),
  sometimes(
    'second-document-untyped',
    'From the second document the type may be missing.',
    'WCI-SUB-047 also WCI-UPD-025 WCI-MP-020',
    {
      enforces: skipping('document.type.required', ({ index }) => index > 0),
    },
  ),
  sometimes(
    'second-document-unchecked',
    'From the second document the type is not checked.',
    'WCI-SUB-048 also WCI-UPD-025 WCI-MP-020',
    {
      enforces: skipping('document.type.values', ({ index }) => index > 0),
    },
  ),
  sometimes(
    'third-passenger-unchecked',
    'From the third passenger nothing is checked.',
    'WCI-SUB-039 also WCI-MP-020 WCI-UPD-025',
    {
      enforces: skippingAll(/^(passenger|passport|documents?|seat)\./, ({ passenger }) => passenger > 1),
    },
  ),
  sometimes(
    'third-leg-clock-unchecked',
    'From the third leg a malformed departure is passed over.',
    'WCI-DT-032',
    {
      enforces: skippingAll(/^flight\.clock/, ({ index }) => index > 1),
    },
  ),
  sometimes(
    'third-leg-unchecked',
    'From the third leg the fields are not checked.',
    'WCI-SUB-033 also WCI-DT-032',
    {
      enforces: skippingAll(/^flight\./, ({ index }) => index > 1),
    },
  ),
  sometimes(
    'payload-unchecked',
    'The passengers in a payload are not checked.',
    'WCI-UPD-025 also WCI-MP-020',
    {
      enforces: skippingAll(/^(passenger|passport|documents?|seat)\./, ({ nested }) => nested),
    },
  ),
  sometimes(
    'upload-webhook-header-any',
    'The header of a webhook may be any in a multipart body.',
    'WCI-MP-003',
    {
      enforces: skipping('callback.auth.name', ({ multipart }) => multipart),
    },
  ),
  sometimes('upload-update-empty', 'A multipart update may hold no passenger.', 'WCI-MP-020', {
    enforces: skipping('passengers.least', (place) => place.multipart && inUpdate(place)),
  }),
  sometimes(
    'upload-passengers-unchecked',
    'The passengers of a multipart body are not checked.',
    'WCI-MP-020 also WCI-SUB-058 WCI-RDY-021 WCI-SUB-074 WCI-SUB-037 WCI-SUB-038 WCI-SUB-039 WCI-SUB-047 WCI-SUB-048 WCI-SUB-052 WCI-SUB-055 WCI-SUB-056 WCI-SUB-068 WCI-SUB-069',
    {
      enforces: skippingAll(/^(passenger|passport|documents?|seat)\./, ({ multipart }) => multipart),
    },
  ),
];
