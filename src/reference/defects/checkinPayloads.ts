import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in judging the passengers and the pnr of a subscribe or an update. */
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
  sometimes(
    'passengers-null-500',
    'A null among the passengers is an internal error.',
    'WCI-SUB-029 WCI-UPD-048',
    {
      breaksOn: (field, value) => field === 'passengers[]' && value === null,
    },
  ),
  sometimes('birth-date-leap-day', 'No passenger is born on the 29th of February.', 'WCI-SUB-075', {
    enforces: alsoEnforcing('passenger.leapDay', ({ field }) => field === 'date_of_birth'),
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
  sometimes('email-format-later', 'A malformed email of a later passenger rejects.', 'WCI-SUB-042', {
    enforces: alsoEnforcing(
      'passenger.email.format',
      ({ operation, multipart, passenger }) => operation === 'subscribe' && !multipart && passenger > 0,
    ),
  }),
  sometimes('email-empty-refused', 'An empty email rejects.', 'WCI-SUB-042', {
    enforces: alsoEnforcing(
      'passenger.email.format',
      ({ operation, value }) => operation === 'subscribe' && value === '',
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
  sometimes('last-name-empty', 'A last name may be empty.', 'WCI-SUB-038 also WCI-UPD-025', {
    enforces: skipping('passenger.name.length', ({ field }) => field === 'last_name'),
  }),
  sometimes('first-name-null', 'A first name may be missing.', 'WCI-SUB-037 also WCI-UPD-025', {
    enforces: skipping('passenger.name.required', ({ field }) => field === 'first_name'),
  }),
  sometimes(
    'second-passenger-unnamed',
    'From the second passenger the names are not checked.',
    'WCI-SUB-039 also WCI-UPD-025 WCI-UPD-027',
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
  sometimes(
    'pnr-required',
    'A missing pnr rejects the request.',
    'WCI-SUB-044 also WCI-RDY-014 WCI-UPD-030',
    { enforces: alsoEnforcing('pnr.required') },
  ),
  sometimes('pnr-short-refused', 'A pnr of four characters rejects the request.', 'WCI-SUB-045', {
    enforces: alsoEnforcing('pnr.format', ({ value }) => typeof value === 'string' && value.length === 4),
  }),
  sometimes('passengers-nine-at-most', 'A booking has nine passengers at most.', 'WCI-SUB-070', {
    enforces: alsoEnforcing('passengers.most'),
  }),
  sometimes('pnr-format-enforced', 'An invalid pnr rejects the request.', 'WCI-SUB-045', {
    enforces: alsoEnforcing('pnr.format'),
  }),
  sometimes('callback-null-refused', 'callbackData must not be null.', 'WCI-SUB-059', {
    enforces: alsoEnforcing('callback.notNull'),
  }),
];
