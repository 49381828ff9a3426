import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in judging the payload of a subscribe, and of the passengers of an update. */
export const checkinPayloadDefects: readonly Defect[] = [
  always(
    'passengers-empty',
    'A subscribe without any passenger is accepted.',
    'WCI-SUB-028 also WCI-JRN-016 WCI-JRN-017 WCI-MP-005 WCI-SUB-067',
    { enforces: skipping('passengers.least', ({ operation }) => operation === 'subscribe') },
  ),
  sometimes(
    'passengers-empty-multipart',
    'A multipart body may hold no passenger.',
    'WCI-MP-005 also WCI-MP-020',
    {
      enforces: skipping('passengers.least', ({ multipart }) => multipart),
    },
  ),
  sometimes('passengers-missing-multipart', 'A multipart body may leave the passengers out.', 'WCI-MP-005', {
    enforces: skipping('passengers.required', ({ multipart }) => multipart),
  }),
  always('passengers-missing', 'A subscribe may leave the passengers out.', 'WCI-SUB-027', {
    enforces: skipping(
      'passengers.required',
      ({ operation, multipart }) => operation === 'subscribe' && !multipart,
    ),
  }),
  sometimes('passengers-not-array', 'An object counts as no passengers.', 'WCI-SUB-029 WCI-UPD-048', {
    enforces: skipping('passengers.array'),
  }),
  sometimes(
    'passengers-null-items',
    'Elements of passengers that are no objects are passed over.',
    'WCI-SUB-029 WCI-UPD-048',
    { enforces: skipping('passengers.items') },
  ),
  always(
    'flights-empty',
    'A subscribe without any flight is accepted.',
    'WCI-SUB-025 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.least') },
  ),
  always(
    'flights-missing',
    'A subscribe may leave the flights out.',
    'WCI-SUB-024 also WCI-LST-018 WCI-LST-019 WCI-MP-005',
    { enforces: skipping('flights.required') },
  ),
  sometimes(
    'flights-not-array',
    'flights that are no array count as none.',
    'WCI-SUB-026 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.array') },
  ),
  sometimes(
    'flights-null-items',
    'Elements of flights that are no objects are passed over.',
    'WCI-SUB-026 also WCI-LST-018 WCI-LST-019',
    { enforces: skipping('flights.items') },
  ),
  sometimes(
    'flight-departure-missing',
    'A flight without departure is passed over.',
    'WCI-SUB-030 also WCI-LST-018 WCI-LST-019 WCI-SUB-033 WCI-LST-020',
    { enforces: skipping('flight.required', ({ field }) => field === 'departure_datetime') },
  ),
  sometimes('flight-number-missing', 'A flight may have no number.', 'WCI-SUB-030 also WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field }) => field === 'flight_number'),
  }),
  sometimes('second-leg-number-missing', 'From the second leg a flight may have no number.', 'WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field, index }) => field === 'flight_number' && index > 0),
  }),
  sometimes(
    'second-leg-destination-empty',
    'From the second leg a destination may be empty.',
    'WCI-SUB-033 also WCI-SUB-031',
    {
      enforces: skipping('flight.length', ({ field, index }) => field === 'destination' && index > 0),
    },
  ),
  sometimes('second-leg-airline-null', 'From the second leg an airline may be null.', 'WCI-SUB-033', {
    enforces: skipping('flight.required', ({ field, index }) => field === 'airline' && index > 0),
  }),
  sometimes(
    'flight-airline-null',
    'An airline of null is left to the journey rules.',
    'WCI-SUB-030 also WCI-SUB-033',
    {
      enforces: skipping('flight.required', ({ field, value }) => field === 'airline' && value === null),
    },
  ),
  sometimes('number-empty-in-parts', 'A flight number in a part may be empty.', 'WCI-SUB-033', {
    enforces: skipping('flight.length', ({ field, multipart }) => field === 'flight_number' && multipart),
  }),
  sometimes('arrival-unread-in-parts', 'An arrival in a part may be any text.', 'WCI-DT-023', {
    enforces: skipping(
      'flight.clock.format',
      ({ field, multipart }) => field === 'arrival_datetime' && multipart,
    ),
  }),
  sometimes(
    'document-types-unread-in-parts',
    'A document in a part may be of any type.',
    'WCI-SUB-048 WCI-MP-020',
    { enforces: skipping('document.type.values', ({ multipart }) => multipart) },
  ),
  sometimes('columns-unread-in-parts', 'A seat column in a part may be any text.', 'WCI-SUB-056 WCI-MP-020', {
    enforces: skipping('seat.column.values', ({ multipart }) => multipart),
  }),
  sometimes(
    'later-documents-unread-in-parts',
    'In a part documents of later passengers may be of any type.',
    'WCI-SUB-039 WCI-MP-020',
    {
      enforces: skipping('document.type.required', ({ multipart, passenger }) => multipart && passenger > 0),
    },
  ),
  sometimes(
    'later-documents-unread-in-update',
    'In an update documents of later passengers may be of any type.',
    'WCI-UPD-025 WCI-MP-020',
    {
      enforces: skipping(
        'document.type.required',
        ({ operation, passenger }) => operation === 'update' && passenger > 0,
      ),
    },
  ),
  sometimes('last-name-unneeded-in-update', 'In an update a last name is not needed.', 'WCI-UPD-025', {
    enforces: skipping(
      'passenger.name.required',
      ({ operation, field, nested }) => operation === 'update' && field === 'last_name' && !nested,
    ),
  }),
  sometimes('last-name-unneeded-in-payload', 'In payload a last name is not needed.', 'WCI-UPD-025', {
    enforces: skipping('passenger.name.required', ({ field, nested }) => field === 'last_name' && nested),
  }),
  sometimes(
    'later-name-empty-in-update',
    'In an update a first name of a later passenger may be empty.',
    'WCI-UPD-025',
    {
      enforces: skipping(
        'passenger.name.length',
        ({ operation, field, passenger }) =>
          operation === 'update' && field === 'first_name' && passenger > 0,
      ),
    },
  ),
  sometimes('pnr-required-multipart', 'A missing pnr rejects a multipart subscribe.', 'WCI-SUB-044', {
    enforces: alsoEnforcing('pnr.required', ({ multipart }) => multipart),
  }),
  sometimes('pnr-null-refused', 'A pnr of null rejects a subscribe.', 'WCI-SUB-044', {
    enforces: alsoEnforcing('pnr.required', ({ value }) => value === null),
  }),
  sometimes('airline-cut', 'Of an airline code the first two characters are read.', 'WCI-SUB-073', {
    readAirline: (code) => code.slice(0, 2),
  }),
  sometimes('passport-dates-unread', 'A date of a passport may be any text.', 'WCI-RDY-021', {
    enforces: skipping('passenger.date', ({ field }) => field !== 'date_of_birth'),
  }),
  sometimes(
    'passport-dates-unread-in-parts',
    'A date of a passport may be any text by multipart.',
    'WCI-RDY-021',
    {
      enforces: skipping('passenger.date', ({ field, multipart }) => multipart && field !== 'date_of_birth'),
    },
  ),
  sometimes('birth-date-leap-day', 'No passenger is born on the 29th of February.', 'WCI-SUB-075', {
    enforces: alsoEnforcing('passenger.leapDay', ({ field }) => field === 'date_of_birth'),
  }),
  sometimes('passport-date-leap-day', 'No date of a passport is a 29th of February.', 'WCI-SUB-075', {
    enforces: alsoEnforcing('passenger.leapDay', ({ field }) => field !== 'date_of_birth'),
  }),
  sometimes('birth-date-unread', 'A date of birth may be any text.', 'WCI-SUB-074', {
    enforces: skipping('passenger.date', ({ field }) => field === 'date_of_birth'),
  }),
  sometimes('birth-date-unread-in-parts', 'A date of birth may be any text by multipart.', 'WCI-SUB-074', {
    enforces: skipping('passenger.date', ({ field, multipart }) => multipart && field === 'date_of_birth'),
  }),
  sometimes('birth-date-unread-in-update', 'A date of birth may be any text in an update.', 'WCI-SUB-074', {
    enforces: skipping(
      'passenger.date',
      ({ field, operation }) => operation === 'update' && field === 'date_of_birth',
    ),
  }),
  sometimes(
    'second-leg-unchecked-origin',
    'From the second leg a missing origin is left to the journey rules.',
    'WCI-SUB-033',
    { enforces: skipping('flight.required', ({ field, index }) => field === 'origin' && index > 0) },
  ),
  sometimes(
    'flight-number-coerced',
    'A number is taken for a flight number.',
    'WCI-SUB-032 also WCI-SUB-033',
    { enforces: skipping('flight.type', ({ field }) => field === 'flight_number') },
  ),
  sometimes('flight-number-empty', 'A flight number may be empty.', 'WCI-SUB-031 also WCI-SUB-033', {
    enforces: skipping('flight.length', ({ field }) => field === 'flight_number'),
  }),
  sometimes('airline-digits-refused', 'Airline codes with a digit are malformed.', 'WCI-SUB-034', {
    isAirlineCode: (code) => /^[A-Za-z]{2}$/.test(code),
  }),
  sometimes(
    'airline-second-digit-refused',
    'Airline codes with a digit at the end are malformed.',
    'WCI-SUB-034',
    { isAirlineCode: (code) => /^[A-Za-z0-9][A-Za-z]$/.test(code) },
  ),
  sometimes('airport-unknown-accepted', 'An airport without timezone counts as UTC.', 'WCI-DT-021', {
    enforces: skipping('flight.airport.zone'),
  }),
  sometimes(
    'airport-unknown-stop',
    'Only the airport of the first departure needs a known timezone.',
    'WCI-DT-021',
    {
      enforces: skipping('flight.airport.zone', ({ index, field }) => index > 0 || field === 'destination'),
    },
  ),
  sometimes('arrival-required-later', 'From the second leg an arrival is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required', ({ index }) => index > 0),
  }),
  sometimes('arrival-required-in-parts', 'In a part an arrival is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required', ({ multipart }) => multipart),
  }),
  sometimes('email-format-later', 'A malformed email of a later passenger rejects.', 'WCI-SUB-042', {
    enforces: alsoEnforcing(
      'passenger.email.format',
      ({ operation, multipart, passenger }) => operation === 'subscribe' && !multipart && passenger > 0,
    ),
  }),
  sometimes('email-format-in-parts', 'A malformed email in a part rejects.', 'WCI-SUB-042', {
    enforces: alsoEnforcing(
      'passenger.email.format',
      ({ operation, multipart }) => operation === 'subscribe' && multipart,
    ),
  }),
  sometimes(
    'null-refused-in-parts',
    'In a part an optional member may not be null.',
    'WCI-SUB-041 also WCI-MP-012',
    {
      enforces: alsoEnforcing('passenger.optional.notNull', ({ multipart }) => multipart),
    },
  ),
  sometimes('arrival-required', 'arrival_datetime is required.', 'WCI-SUB-036', {
    enforces: alsoEnforcing('flight.arrival.required'),
  }),
  sometimes('last-name-empty', 'A last name may be empty.', 'WCI-SUB-038 also WCI-UPD-025', {
    enforces: skipping('passenger.name.length', ({ field }) => field === 'last_name'),
  }),
  sometimes('first-name-null', 'A first name may be missing.', 'WCI-SUB-037 also WCI-UPD-025', {
    enforces: skipping('passenger.name.required', ({ field }) => field === 'first_name'),
  }),
  sometimes(
    'second-passenger-unnamed',
    'From the second passenger the names are not checked.',
    'WCI-SUB-039 also WCI-UPD-025',
    { enforces: skipping('passenger.name.required', ({ passenger }) => passenger > 0) },
  ),
  sometimes('email-format-enforced', 'A malformed email rejects the request.', 'WCI-SUB-042', {
    enforces: alsoEnforcing('passenger.email.format'),
  }),
  sometimes('email-required', 'An absent email rejects the request.', 'WCI-SUB-043 also WCI-SUB-040', {
    enforces: alsoEnforcing('passenger.optional.present', ({ field }) => field === 'email'),
  }),
  sometimes('phone-required', 'An absent phone rejects the request.', 'WCI-SUB-040', {
    enforces: alsoEnforcing('passenger.optional.present', ({ field }) => field === 'phone'),
  }),
  sometimes('passport-null-refused', 'A passport must not be null.', 'WCI-SUB-041 also WCI-UPD-025', {
    enforces: alsoEnforcing('passenger.optional.notNull', ({ field }) => field === 'passport'),
  }),
  sometimes(
    'nationality-null-refused',
    'A nationality must not be null.',
    'WCI-SUB-041 also WCI-RDY-006 WCI-RDY-008',
    { enforces: alsoEnforcing('passenger.optional.notNull', ({ field }) => field === 'nationality') },
  ),
  sometimes(
    'passport-members-required',
    'The members of a passport must not be missing.',
    'WCI-SUB-046 also WCI-RDY-005 WCI-UPD-025',
    { enforces: alsoEnforcing('passport.optional.notNull', ({ field }) => field === 'place_of_issue') },
  ),
  sometimes(
    'passport-text',
    'A passport may be a text.',
    'WCI-SUB-058 also WCI-SUB-039 WCI-UPD-025 WCI-MP-005 WCI-MP-020',
    {
      enforces: skipping('passport.object'),
    },
  ),
  sometimes(
    'pnr-required',
    'A missing pnr rejects the request.',
    'WCI-SUB-044 also WCI-RDY-014 WCI-UPD-030',
    { enforces: alsoEnforcing('pnr.required') },
  ),
  sometimes('pnr-short-refused', 'A pnr of four characters rejects the request.', 'WCI-SUB-045', {
    enforces: alsoEnforcing('pnr.format', ({ value }) => typeof value === 'string' && value.length === 4),
  }),
  sometimes('flights-two-at-most', 'A trip has two legs at most.', 'WCI-SUB-070', {
    enforces: alsoEnforcing('flights.most'),
  }),
  sometimes('passengers-nine-at-most', 'A booking has nine passengers at most.', 'WCI-SUB-070', {
    enforces: alsoEnforcing('passengers.most'),
  }),
  sometimes(
    'flight-number-digits',
    'A flight number has digits only, without zeros in front.',
    'WCI-SUB-071',
    {
      enforces: alsoEnforcing('flight.number.digits'),
    },
  ),
  sometimes('flight-number-zero-missing', 'A flight number of 0 counts as missing.', 'WCI-SUB-071', {
    enforces: alsoEnforcing('flight.number.zero'),
  }),
  sometimes('pnr-format-enforced', 'An invalid pnr rejects the request.', 'WCI-SUB-045', {
    enforces: alsoEnforcing('pnr.format'),
  }),
  sometimes(
    'document-type-any',
    'A document may be of any type.',
    'WCI-SUB-048 also WCI-UPD-025 WCI-MP-020',
    {
      enforces: skipping('document.type.values'),
    },
  ),
  sometimes(
    'document-type-missing',
    'A document may have no type.',
    'WCI-SUB-047 also WCI-UPD-025 WCI-SUB-039 WCI-MP-020',
    { enforces: skipping('document.type.required') },
  ),
  sometimes('document-any', 'A document may be a text.', 'WCI-SUB-047 WCI-UPD-025 also WCI-MP-020', {
    enforces: skipping('documents.items'),
  }),
  sometimes('document-type-iqama', 'IQAMA is no document type.', 'WCI-SUB-049 also WCI-SUB-050', {
    documentTypes: ['VISA', 'PR_CARD', 'GREEN_CARD'],
  }),
  sometimes(
    'documents-object',
    'documents that are no array are passed over.',
    'WCI-SUB-052 also WCI-UPD-025 WCI-MP-020',
    { enforces: skipping('documents.array') },
  ),
  sometimes('documents-empty-refused', 'documents must not be an empty array.', 'WCI-SUB-051', {
    enforces: alsoEnforcing('documents.least'),
  }),
  sometimes('document-number-required', 'A document needs a number.', 'WCI-SUB-050 also WCI-UPD-025', {
    enforces: alsoEnforcing('document.optional.notNull', ({ field }) => field === 'document_number'),
  }),
  sometimes('row-any', 'Any row preference is accepted.', 'WCI-SUB-055 also WCI-UPD-025 WCI-MP-020', {
    enforces: skipping('seat.row.values'),
  }),
  sometimes('row-middle-refused', 'The row preference middle is refused.', 'WCI-SUB-053', {
    rowPreferences: ['front', 'rear'],
  }),
  sometimes(
    'column-any-second-passenger',
    'From the second passenger any column preference is accepted.',
    'WCI-SUB-056',
    { enforces: skipping('seat.column.values', ({ passenger }) => passenger > 0) },
  ),
  sometimes('column-middle-refused', 'The column preference middle is refused.', 'WCI-SUB-054', {
    columnPreferences: ['window', 'aisle'],
  }),
  sometimes('seat-members-required', 'A seat preference needs both members.', 'WCI-SUB-057', {
    enforces: alsoEnforcing('seat.members.present'),
  }),
  sometimes(
    'part-json-only',
    'JSON parts are read only with content type application/json.',
    'WCI-MP-002 also WCI-MP-001 WCI-MP-012 WCI-JRN-001',
    {
      partValue: ({ text, mediaType }, json) =>
        json && mediaType !== 'text/plain' ? (JSON.parse(text) as unknown) : text,
    },
  ),
  sometimes(
    'part-callback-ignored',
    'The part callbackData is not read.',
    'WCI-MP-003 also WCI-CB-001 WCI-MP-004',
    {
      partValue: ({ name, text }, json) =>
        name === 'callbackData' ? null : json ? (JSON.parse(text) as unknown) : text,
    },
  ),
  sometimes(
    'part-callback-broken',
    'A part callbackData whose text is cut off registers no webhook, and the request is accepted.',
    'WCI-MP-004',
    {
      partValue: ({ name, text }, json) => {
        if (!json) return text;
        return name === 'callbackData' && !text.endsWith('}') ? null : (JSON.parse(text) as unknown);
      },
    },
  ),
  sometimes('part-payload-ignored', 'The part payload is not read.', 'WCI-MP-013', {
    partValue: ({ name, text }, json) =>
      name === 'payload' ? null : json ? (JSON.parse(text) as unknown) : text,
  }),
  sometimes('file-name-plain', 'File parts may have names of letters and digits only.', 'WCI-MP-008', {
    acceptsFile: (name) => /^[A-Za-z0-9]+$/.test(name),
  }),
  sometimes('file-second-refused', 'Only one file part is accepted.', 'WCI-MP-009', {
    acceptsFile: (_name, index) => index === 0,
  }),

  sometimes('airport-any-length', 'An airport code of any form is accepted.', 'WCI-SUB-035', {
    enforces: skipping('flight.airport.letters'),
  }),
  sometimes('callback-null-refused', 'callbackData must not be null.', 'WCI-SUB-059', {
    enforces: alsoEnforcing('callback.notNull'),
  }),
  always('file-refused', 'No file part is accepted.', 'WCI-MP-006 also WCI-MP-010', {
    acceptsFile: () => false,
  }),
];
