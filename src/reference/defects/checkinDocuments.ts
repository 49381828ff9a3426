import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

/** Mistakes in judging the passports, documents and seat preferences of passengers. */
export const checkinDocumentDefects: readonly Defect[] = [
  sometimes('name-rare-letter-breaks', 'A rare letter in a name is an internal error.', 'WCI-SUB-080', {
    breaksOn: (field, value) => field.endsWith('_name') && /[\u{10000}-\u{10ffff}]/u.test(String(value)),
  }),
  sometimes(
    'name-long-breaks',
    'A name longer than its column is an internal error.',
    'WCI-SUB-080 also WCI-SUB-033 WCI-SUB-039 WCI-UPD-025',
    {
      breaksOn: (field, value) => field.endsWith('_name') && String(value).length > 60,
    },
  ),
  sometimes('namesakes-refused', 'No two passengers have the same names.', 'WCI-SUB-081', {
    enforces: alsoEnforcing('passengers.distinct', ({ operation }) => operation === 'subscribe'),
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
  sometimes('passport-date-leap-day', 'No date of a passport is a 29th of February.', 'WCI-SUB-075', {
    enforces: alsoEnforcing('passenger.leapDay', ({ field }) => field !== 'date_of_birth'),
  }),
  sometimes('name-one-letter', 'A last_name has two letters at least.', 'WCI-SUB-076', {
    enforces: alsoEnforcing('passenger.name.two', ({ field }) => field === 'last_name'),
  }),
  sometimes('name-plain', 'A name has plain letters, spaces and hyphens only.', 'WCI-SUB-077', {
    enforces: alsoEnforcing('passenger.name.plain'),
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
];
