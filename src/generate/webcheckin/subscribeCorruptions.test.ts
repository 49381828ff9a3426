import * as fc from 'fast-check';
import { describe } from 'vitest';
import { testCorruptions, type Breaks } from '../../../test/laws/corruptions.ts';
import { subscribeAfter } from '../../../test/laws/webCheckIn.ts';
import { bookingDraft, renderBooking } from './booking.ts';
import { missingNames } from './passengerCorruptions.ts';
import { itinerariesToTry } from '../kit/places.ts';
import { subscribeCorruptions } from './subscribeCorruptions.ts';

const now = Date.UTC(2031, 10, 4, 23, 6, 7);
const itineraries = (['international', 'twoLeg', 'dateLine'] as const).flatMap((kind) =>
  itinerariesToTry(kind, null),
);
const valid = fc
  .tuple(bookingDraft(now), fc.constantFrom(...itineraries))
  .map(([draft, itinerary]) => renderBooking(draft, { itinerary, now, pnr: 'ABC123' }));

const clock = 'flights.*.departure_datetime';
const header = 'callbackData.auth_header';
const breaks: Breaks = {
  'absent-flights': 'flights',
  'null-flights': 'flights',
  'empty-flights': 'flights',
  'flights-as-object': 'flights',
  'flights-as-text': 'flights',
  'flights-of-null': 'flights.*',
  'flights-of-texts': 'flights.*',
  'flights-of-numbers': 'flights.*',
  'absent-passengers': 'passengers',
  'null-passengers': 'passengers',
  'empty-passengers': 'passengers',
  'passengers-as-object': 'passengers',
  'passengers-as-text': 'passengers',
  'passengers-of-null': 'passengers.*',
  'passengers-of-texts': 'passengers.*',
  'passengers-of-numbers': 'passengers.*',
  'absent-airline': 'flights.*.airline',
  'null-airline': 'flights.*.airline',
  'absent-flight_number': 'flights.*.flight_number',
  'null-flight_number': 'flights.*.flight_number',
  'absent-origin': 'flights.*.origin',
  'null-origin': 'flights.*.origin',
  'absent-destination': 'flights.*.destination',
  'null-destination': 'flights.*.destination',
  'absent-departure_datetime': clock,
  'null-departure_datetime': clock,
  'empty-airline': 'flights.*.airline',
  'empty-flight_number': 'flights.*.flight_number',
  'empty-origin': 'flights.*.origin',
  'empty-destination': 'flights.*.destination',
  'number-flight_number': 'flights.*.flight_number',
  'boolean-airline': 'flights.*.airline',
  'array-origin': 'flights.*.origin',
  'object-destination': 'flights.*.destination',
  'epoch-departure_datetime': clock,
  'epoch-arrival_datetime': 'flights.*.arrival_datetime',
  'later-leg-without-airline': 'flights.*.airline',
  'later-leg-without-flight_number': 'flights.*.flight_number',
  'later-leg-without-origin': 'flights.*.origin',
  'later-leg-without-destination': 'flights.*.destination',
  'later-leg-without-departure_datetime': clock,
  'later-leg-with-null-airline': 'flights.*.airline',
  'later-leg-with-null-flight_number': 'flights.*.flight_number',
  'later-leg-with-null-origin': 'flights.*.origin',
  'later-leg-with-null-destination': 'flights.*.destination',
  'later-leg-with-null-departure_datetime': clock,
  'later-leg-with-empty-airline': 'flights.*.airline',
  'later-leg-with-empty-flight_number': 'flights.*.flight_number',
  'later-leg-with-empty-origin': 'flights.*.origin',
  'later-leg-with-empty-destination': 'flights.*.destination',
  'later-leg-with-number-flight_number': 'flights.*.flight_number',
  'later-leg-with-object-destination': 'flights.*.destination',
  'origin-too-short': 'flights.*.origin',
  'destination-too-short': 'flights.*.destination',
  'origin-too-long': 'flights.*.origin',
  'destination-too-long': 'flights.*.destination',
  'origin-with-digit': 'flights.*.origin',
  'destination-with-digit': 'flights.*.destination',
  'airline-not-alphanumeric': 'flights.*.airline',
  'origin-without-timezone': 'airport',
  'fraction-too-long': `${clock} shape`,
  'fraction-bare-dot': `${clock} shape`,
  'date-only': `${clock} shape`,
  'day-first': `${clock} shape`,
  slashes: `${clock} shape`,
  'epoch-digits': `${clock} shape`,
  'free-text': `${clock} shape`,
  empty: `${clock} shape`,
  'other-separator': `${clock} shape`,
  'zone-name': `${clock} shape`,
  'one-digit-month': `${clock} shape`,
  'one-digit-day': `${clock} shape`,
  'one-digit-hour': `${clock} shape`,
  'one-digit-minute': `${clock} shape`,
  'nonexistent-day': `${clock} calendar`,
  'month-13': `${clock} calendar`,
  'day-00': `${clock} calendar`,
  'month-00': `${clock} calendar`,
  'hour-25': `${clock} clock`,
  'minute-60': `${clock} clock`,
  'second-61': `${clock} clock`,
  'arrival-fraction-too-long': 'flights.*.arrival_datetime shape',
  'arrival-date-only': 'flights.*.arrival_datetime shape',
  'arrival-free-text': 'flights.*.arrival_datetime shape',
  'document-without-type': 'passengers.*.documents.*.type',
  'document-not-object': 'passengers.*.documents.*',
  'document-type-unknown': 'passengers.*.documents.*.type',
  'documents-not-array': 'passengers.*.documents',
  'row-preference-unknown': 'passengers.*.seat_preference.row_preference',
  'column-preference-unknown': 'passengers.*.seat_preference.column_preference',
  'passport-not-object': 'passengers.*.passport',
  'seat-not-object': 'passengers.*.seat_preference',
  'first_name-not-text': 'passengers.*.first_name',
  'last_name-not-text': 'passengers.*.last_name',
  'second-document-type-unknown': 'passengers.*.documents.*.type',
  'second-document-without-type': 'passengers.*.documents.*.type',
  'later-passenger-document-without-type': 'passengers.*.documents.*.type',
  'later-passenger-passport-not-object': 'passengers.*.passport',
  'third-passenger-document-without-type': 'passengers.*.documents.*.type',
  'third-passenger-seat-not-object': 'passengers.*.seat_preference',
  'absent-callbackUrl': 'callbackData.callbackUrl',
  'null-callbackUrl': 'callbackData.callbackUrl',
  'absent-auth_header': header,
  'null-auth_header': header,
  'callbackUrl-not-uri': 'callbackData.callbackUrl',
  'callbackUrl-empty': 'callbackData.callbackUrl',
  'auth_header-other-name': `${header} name`,
  'auth_header-longer-name': `${header} name`,
  'auth_header-without-colon': `${header} no colon`,
  'auth_header-two-colons': `${header} colons`,
  'auth_header-empty-value': `${header} no value`,
  'auth_header-line-break': `${header} line break`,
  'departure-in-the-past': 'past',
  'origin-is-destination': 'route',
  'legs-not-connected': 'connection',
  'two-airlines': 'airlines',
  'legs-reversed': 'connection',
};

describe('missing names', () => {
  const members = missingNames.map(({ name }) => [name, `passengers.*.${name.replace(/^[a-z]+-/, '')}`]);
  testCorruptions(missingNames, valid, {
    schema: subscribeAfter('2031-11-03'),
    breaks: Object.fromEntries(members) as Breaks,
  });
});

describe('subscribe corruptions', () => {
  testCorruptions(subscribeCorruptions(now), valid, { schema: subscribeAfter('2031-11-03'), breaks });
});
