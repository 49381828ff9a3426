import { demanding, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in judging the payload of a subscribe, and of the passengers of an update. */
export const checkinPayloadDefects: readonly Defect[] = [
  always(
    'passengers-empty',
    'A subscribe without any passenger is accepted.',
    { enforces: skipping('passengers.least', ({ operation }) => operation === 'subscribe') },
    ['WCI-SUB-028'],
    ['WCI-JRN-016', 'WCI-JRN-017', 'WCI-MP-005', 'WCI-SUB-067'],
  ),
  sometimes(
    'passengers-empty-multipart',
    'A multipart body may hold no passenger.',
    { enforces: skipping('passengers.least', ({ multipart }) => multipart) },
    ['WCI-MP-005'],
  ),
  sometimes(
    'passengers-missing-multipart',
    'A multipart body may leave the passengers out.',
    { enforces: skipping('passengers.required', ({ multipart }) => multipart) },
    ['WCI-MP-005'],
  ),
  always(
    'passengers-missing',
    'A subscribe may leave the passengers out.',
    {
      enforces: skipping(
        'passengers.required',
        ({ operation, multipart }) => operation === 'subscribe' && !multipart,
      ),
    },
    ['WCI-SUB-027'],
  ),
  sometimes(
    'passengers-not-array',
    'An object counts as no passengers.',
    { enforces: skipping('passengers.array') },
    ['WCI-SUB-029', 'WCI-UPD-048'],
  ),
  sometimes(
    'passengers-null-items',
    'Elements of passengers that are no objects are passed over.',
    { enforces: skipping('passengers.items') },
    ['WCI-SUB-029', 'WCI-UPD-048'],
  ),
  always(
    'flights-empty',
    'A subscribe without any flight is accepted.',
    { enforces: skipping('flights.least') },
    ['WCI-SUB-025'],
    ['WCI-LST-018', 'WCI-LST-019'],
  ),
  always(
    'flights-missing',
    'A subscribe may leave the flights out.',
    { enforces: skipping('flights.required') },
    ['WCI-SUB-024'],
    ['WCI-LST-018', 'WCI-LST-019', 'WCI-MP-005'],
  ),
  sometimes(
    'flights-not-array',
    'flights that are no array count as none.',
    { enforces: skipping('flights.array') },
    ['WCI-SUB-026'],
    ['WCI-LST-018', 'WCI-LST-019'],
  ),
  sometimes(
    'flights-null-items',
    'Elements of flights that are no objects are passed over.',
    { enforces: skipping('flights.items') },
    ['WCI-SUB-026'],
    ['WCI-LST-018', 'WCI-LST-019'],
  ),
  sometimes(
    'flight-departure-missing',
    'A flight without departure is passed over.',
    { enforces: skipping('flight.required', ({ field }) => field === 'departure_datetime') },
    ['WCI-SUB-030'],
    ['WCI-LST-018', 'WCI-LST-019', 'WCI-SUB-033'],
  ),
  sometimes(
    'flight-number-missing',
    'A flight may have no number.',
    { enforces: skipping('flight.required', ({ field }) => field === 'flight_number') },
    ['WCI-SUB-030'],
    ['WCI-SUB-033'],
  ),
  sometimes(
    'second-leg-number-missing',
    'From the second leg a flight may have no number.',
    { enforces: skipping('flight.required', ({ field, index }) => field === 'flight_number' && index > 0) },
    ['WCI-SUB-033'],
  ),
  sometimes(
    'second-leg-unchecked-origin',
    'From the second leg a missing origin is left to the journey rules.',
    { enforces: skipping('flight.required', ({ field, index }) => field === 'origin' && index > 0) },
    ['WCI-SUB-033'],
  ),
  sometimes(
    'flight-number-coerced',
    'A number is taken for a flight number.',
    { enforces: skipping('flight.type', ({ field }) => field === 'flight_number') },
    ['WCI-SUB-032'],
  ),
  sometimes(
    'flight-number-empty',
    'A flight number may be empty.',
    { enforces: skipping('flight.length', ({ field }) => field === 'flight_number') },
    ['WCI-SUB-031'],
  ),
  sometimes(
    'airline-digits-refused',
    'Airline codes with a digit are malformed.',
    { isAirlineCode: (code) => /^[A-Za-z]{2}$/.test(code) },
    ['WCI-SUB-034'],
  ),
  sometimes(
    'airport-unknown-accepted',
    'An airport without timezone counts as UTC.',
    { enforces: skipping('flight.airport.zone') },
    ['WCI-DT-021'],
  ),
  sometimes(
    'airport-unknown-stop',
    'Only the airport of the first departure needs a known timezone.',
    {
      enforces: skipping('flight.airport.zone', ({ index, field }) => index > 0 || field === 'destination'),
    },
    ['WCI-DT-021'],
  ),
  sometimes(
    'arrival-required',
    'arrival_datetime is required.',
    { enforces: demanding('flight.arrival.required') },
    ['WCI-SUB-036'],
  ),
  sometimes(
    'last-name-empty',
    'A last name may be empty.',
    { enforces: skipping('passenger.name.length', ({ field }) => field === 'last_name') },
    ['WCI-SUB-038'],
  ),
  sometimes(
    'first-name-null',
    'A first name may be missing.',
    { enforces: skipping('passenger.name.required', ({ field }) => field === 'first_name') },
    ['WCI-SUB-037'],
  ),
  sometimes(
    'second-passenger-unnamed',
    'From the second passenger the names are not checked.',
    { enforces: skipping('passenger.name.required', ({ passenger }) => passenger > 0) },
    ['WCI-SUB-039'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'email-format-enforced',
    'A malformed email rejects the request.',
    { enforces: demanding('passenger.email.format') },
    ['WCI-SUB-042'],
  ),
  sometimes(
    'email-required',
    'An absent email rejects the request.',
    { enforces: demanding('passenger.optional.present', ({ field }) => field === 'email') },
    ['WCI-SUB-043'],
    ['WCI-SUB-040'],
  ),
  sometimes(
    'phone-required',
    'An absent phone rejects the request.',
    { enforces: demanding('passenger.optional.present', ({ field }) => field === 'phone') },
    ['WCI-SUB-040'],
  ),
  sometimes(
    'passport-null-refused',
    'A passport must not be null.',
    { enforces: demanding('passenger.optional.notNull', ({ field }) => field === 'passport') },
    ['WCI-SUB-041'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'nationality-null-refused',
    'A nationality must not be null.',
    { enforces: demanding('passenger.optional.notNull', ({ field }) => field === 'nationality') },
    ['WCI-SUB-041'],
    ['WCI-RDY-006', 'WCI-RDY-008'],
  ),
  sometimes(
    'passport-members-required',
    'The members of a passport must not be missing.',
    { enforces: demanding('passport.optional.notNull', ({ field }) => field === 'place_of_issue') },
    ['WCI-SUB-046'],
    ['WCI-RDY-005', 'WCI-UPD-025'],
  ),
  sometimes(
    'passport-text',
    'A passport may be a text.',
    { enforces: skipping('passport.object') },
    ['WCI-SUB-058'],
    ['WCI-SUB-039', 'WCI-UPD-025'],
  ),
  sometimes(
    'pnr-required',
    'A missing pnr rejects the request.',
    { enforces: demanding('pnr.required') },
    ['WCI-SUB-044'],
    ['WCI-RDY-014', 'WCI-UPD-030'],
  ),
  sometimes(
    'pnr-format-enforced',
    'An invalid pnr rejects the request.',
    { enforces: demanding('pnr.format') },
    ['WCI-SUB-045'],
  ),
  sometimes(
    'document-type-any',
    'A document may be of any type.',
    { enforces: skipping('document.type.values') },
    ['WCI-SUB-048'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'document-type-missing',
    'A document may have no type.',
    { enforces: skipping('document.type.required') },
    ['WCI-SUB-047'],
    ['WCI-UPD-025', 'WCI-SUB-039'],
  ),
  sometimes('document-any', 'A document may be a text.', { enforces: skipping('documents.items') }, [
    'WCI-SUB-047',
    'WCI-UPD-025',
  ]),
  sometimes(
    'document-type-iqama',
    'IQAMA is no document type.',
    { documentTypes: ['VISA', 'PR_CARD', 'GREEN_CARD'] },
    ['WCI-SUB-049'],
    ['WCI-SUB-050'],
  ),
  sometimes(
    'documents-object',
    'documents that are no array are passed over.',
    { enforces: skipping('documents.array') },
    ['WCI-SUB-052'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'documents-empty-refused',
    'documents must not be an empty array.',
    { enforces: demanding('documents.least') },
    ['WCI-SUB-051'],
  ),
  sometimes(
    'document-number-required',
    'A document needs a number.',
    { enforces: demanding('document.optional.notNull', ({ field }) => field === 'document_number') },
    ['WCI-SUB-050'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'row-any',
    'Any row preference is accepted.',
    { enforces: skipping('seat.row.values') },
    ['WCI-SUB-055'],
    ['WCI-UPD-025'],
  ),
  sometimes(
    'row-middle-refused',
    'The row preference middle is refused.',
    { rowPreferences: ['front', 'rear'] },
    ['WCI-SUB-053'],
  ),
  sometimes(
    'column-any-second-passenger',
    'From the second passenger any column preference is accepted.',
    { enforces: skipping('seat.column.values', ({ passenger }) => passenger > 0) },
    ['WCI-SUB-056'],
  ),
  sometimes(
    'column-middle-refused',
    'The column preference middle is refused.',
    { columnPreferences: ['window', 'aisle'] },
    ['WCI-SUB-054'],
  ),
  sometimes(
    'seat-members-required',
    'A seat preference needs both members.',
    { enforces: demanding('seat.members.present') },
    ['WCI-SUB-057'],
  ),
  sometimes(
    'part-json-only',
    'JSON parts are read only with content type application/json.',
    {
      partValue: ({ text, mediaType }, json) =>
        json && mediaType !== 'text/plain' ? (JSON.parse(text) as unknown) : text,
    },
    ['WCI-MP-002'],
    ['WCI-MP-001', 'WCI-MP-012'],
  ),
  sometimes(
    'part-callback-ignored',
    'The part callbackData is not read.',
    {
      partValue: ({ name, text }, json) =>
        name === 'callbackData' ? null : json ? (JSON.parse(text) as unknown) : text,
    },
    ['WCI-MP-003'],
    ['WCI-CB-001', 'WCI-MP-004'],
  ),
  sometimes(
    'part-callback-broken',
    'A part callbackData whose text is cut off registers no webhook, and the request is accepted.',
    {
      partValue: ({ name, text }, json) => {
        if (!json) return text;
        return name === 'callbackData' && !text.endsWith('}') ? null : (JSON.parse(text) as unknown);
      },
    },
    ['WCI-MP-004'],
  ),
  sometimes(
    'part-payload-ignored',
    'The part payload is not read.',
    {
      partValue: ({ name, text }, json) =>
        name === 'payload' ? null : json ? (JSON.parse(text) as unknown) : text,
    },
    ['WCI-MP-013'],
  ),
  sometimes(
    'file-name-plain',
    'File parts may have names of letters and digits only.',
    { acceptsFile: (name) => /^[A-Za-z0-9]+$/.test(name) },
    ['WCI-MP-008'],
  ),
  sometimes(
    'file-second-refused',
    'Only one file part is accepted.',
    { acceptsFile: (_name, index) => index === 0 },
    ['WCI-MP-009'],
  ),

  sometimes(
    'airport-any-length',
    'An airport code of any form is accepted.',
    { enforces: skipping('flight.airport.letters') },
    ['WCI-SUB-035'],
  ),
  sometimes(
    'callback-null-refused',
    'callbackData must not be null.',
    { enforces: demanding('callback.notNull') },
    ['WCI-SUB-059'],
  ),
  always(
    'file-refused',
    'No file part is accepted.',
    { acceptsFile: () => false },
    ['WCI-MP-006'],
    ['WCI-MP-010'],
  ),
];
