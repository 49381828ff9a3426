import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { payloadRules } from '../webcheckin/payloadRules.ts';
import { withoutNamesakes } from './namesakes.ts';
import { omit } from './omit.ts';
import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in updates. */
export const checkinUpdateDefects: readonly Defect[] = [
  sometimes(
    'update-alias-unknown',
    'webcheckin_id is not known.',
    'WCI-UPD-002 also WCI-MP-015 WCI-UPD-005',
    {
      identifierOrder: () => ['checkin_id', 'booking_id'],
    },
  ),
  sometimes('update-booking-id-number-only', 'booking_id as a string is refused.', 'WCI-UPD-004', {
    enforces: alsoEnforcing('update.bookingId.number'),
  }),
  sometimes(
    'update-booking-first',
    'booking_id takes precedence.',
    'WCI-UPD-005 also WCI-SCP-011 WCI-UPD-006 WCI-UPD-008',
    { identifierOrder: () => ['booking_id', 'checkin_id', 'webcheckin_id'] },
  ),
  sometimes(
    'update-falls-back',
    'An identifier that finds nothing gives way to the next.',
    'WCI-SCP-011 also WCI-UPD-008',
    {
      fallsBack: 'unseen',
    },
  ),
  sometimes('update-type-any', 'Any type is taken for passengers.', 'WCI-UPD-020', {
    enforces: skipping('update.type.values'),
  }),
  sometimes('update-type-true', 'A type of true is taken for passengers.', 'WCI-UPD-020', {
    enforces: skipping('update.type.values', ({ value }) => value === true),
  }),
  sometimes('update-operation-any', 'Any operation is taken for update.', 'WCI-UPD-022', {
    enforces: skipping('update.operation.values'),
  }),
  sometimes(
    'update-passengers-empty-nested',
    'An empty list in payload removes all passengers.',
    'WCI-UPD-023',
    { enforces: skipping('passengers.least', ({ nested }) => nested) },
  ),
  always(
    'update-passengers-empty',
    'An empty list removes all passengers.',
    'WCI-UPD-023 also WCI-UPD-037 WCI-MP-020',
    {
      enforces: skipping('passengers.least', ({ operation }) => operation === 'update'),
    },
  ),
  sometimes(
    'update-passengers-unneeded',
    'type passengers without passengers removes them all.',
    'WCI-UPD-024',
    { enforces: skipping('update.passengers.needed') },
  ),
  sometimes(
    'update-of-nothing',
    'An update without type and passengers is carried out, with nothing to do.',
    'WCI-UPD-051',
    {
      enforces: (rule, { field }) =>
        rule !== 'update.type.needed' &&
        !(rule === 'update.passengers.needed' && field === 'type') &&
        payloadRules[rule],
    },
  ),
  sometimes('update-names-unchecked', 'An update does not check the names.', 'WCI-UPD-025', {
    enforces: skipping('passenger.name.length', ({ operation }) => operation === 'update'),
  }),
  sometimes(
    'update-second-passenger-unchecked',
    'An update does not check the names from the second passenger.',
    'WCI-UPD-025',
    {
      enforces: skipping(
        'passenger.name.required',
        ({ operation, passenger }) => operation === 'update' && passenger > 0,
      ),
    },
  ),
  sometimes('update-pnr-empty', 'type pnr takes an empty pnr.', 'WCI-UPD-016', {
    enforces: skipping('update.pnr.length'),
  }),
  sometimes(
    'update-pnr-missing',
    'type pnr without pnr clears it.',
    'WCI-UPD-015 also WCI-UPD-017 WCI-UPD-049',
    { enforces: skipping('update.pnr.needed') },
  ),
  sometimes('update-pnr-top-level', 'A top-level pnr serves where payload has none.', 'WCI-UPD-017', {
    newPnr: ({ pnr }, payload) => payload.pnr ?? pnr,
  }),
  sometimes(
    'update-pnr-top-level-first',
    'A top-level pnr takes precedence.',
    'WCI-UPD-018 also WCI-UPD-019',
    {
      newPnr: ({ pnr }, payload) => (payload.pnr === undefined ? undefined : (pnr ?? payload.pnr)),
    },
  ),
  sometimes(
    'update-merges-by-index',
    'Passengers beyond the new list are kept.',
    'WCI-UPD-026 also WCI-UPD-027 WCI-RDY-007 WCI-RDY-010 WCI-RDY-011',
    { mergePassengers: (stored, sent) => [...sent, ...stored.slice(sent.length)] },
  ),
  sometimes('update-pnr-six', 'A new pnr has to have six characters.', 'WCI-UPD-055', {
    enforces: alsoEnforcing('update.pnr.six'),
  }),
  sometimes('update-raced', 'Of two updates at once one is lost.', 'WCI-UPD-045', {
    serializesUpdates: false,
  }),
  sometimes('update-folds-namesakes', 'Of passengers of one name only one is stored.', 'WCI-RDY-009', {
    mergePassengers: (_, sent) => withoutNamesakes(sent),
  }),
  sometimes(
    'update-merges-fields',
    'Fields that are left out keep their values.',
    'WCI-UPD-027 also WCI-UPD-026',
    {
      mergePassengers: (stored, sent) => sent.map((passenger, index) => ({ ...stored[index], ...passenger })),
    },
  ),
  sometimes(
    'update-keeps-email',
    'An email that is left out keeps its value.',
    'WCI-UPD-027 also WCI-UPD-026',
    {
      mergePassengers: (stored, sent) =>
        sent.map((passenger, index) => {
          const email = stored[index]?.email;
          return email === undefined ? passenger : { email, ...passenger };
        }),
    },
  ),
  sometimes(
    'update-merges-passport',
    'Members left out of a passport keep their values.',
    'WCI-UPD-027 also WCI-MP-011 WCI-RDY-002 WCI-RDY-009',
    {
      mergePassengers: (stored, sent) =>
        sent.map((passenger, index) => {
          const kept = stored[index]?.passport;
          return kept && passenger.passport
            ? { ...passenger, passport: { ...kept, ...passenger.passport } }
            : passenger;
        }),
    },
  ),
  sometimes(
    'update-appends',
    'New passengers are appended.',
    'WCI-UPD-026 also WCI-UPD-027 WCI-UPD-029 WCI-UPD-030 WCI-RDY-007 WCI-RDY-010 WCI-RDY-018',
    { mergePassengers: (stored, sent) => [...stored, ...sent] },
  ),
  sometimes(
    'first-passenger-of-parts',
    'Of the passengers in a part the first one is stored.',
    'WCI-UPD-028 also WCI-UPD-027',
    {
      mergePassengers: (_, sent, { multipart }) => (multipart ? sent.slice(0, 1) : sent),
    },
  ),
  sometimes(
    'update-keeps-length',
    'A longer list is cut to the stored length.',
    'WCI-UPD-028 also WCI-UPD-027 WCI-RDY-009 WCI-RDY-012 WCI-RDY-013',
    { mergePassengers: (stored, sent) => sent.slice(0, stored.length) },
  ),
  sometimes('update-type-fixed', 'The answer always says passengers.', 'WCI-UPD-050', {
    updateType: () => 'passengers',
  }),
  always(
    'update-type-upper-case',
    'The answer says the type in upper case.',
    'WCI-UPD-050 also WCI-UPD-011 WCI-UPD-013 WCI-UPD-031',
    { updateType: (type) => type.toUpperCase() },
  ),
  always('update-without-last-updated', 'The answer does not contain last_updated.', 'WCI-UPD-032', {
    updateAnswer: (fields) => omit(fields, 'last_updated'),
  }),
  sometimes('update-answer-stale', 'The answer calls every record complete.', 'WCI-UPD-033', {
    updateAnswer: (fields) => ({ ...fields, sub_status: 'COMPLETE_INFO', missing_info: [] }),
  }),
  sometimes(
    'update-not-reassessed',
    'New passengers do not change what is missing.',
    'WCI-UPD-029 also WCI-UPD-010 WCI-UPD-021 WCI-UPD-026 WCI-UPD-027 WCI-MP-012 WCI-RDY-018',
    { reassesses: ({ type }) => type === 'pnr' },
  ),
  sometimes(
    'update-pnr-not-reassessed',
    'A new pnr does not change what is missing.',
    'WCI-UPD-030 also WCI-RDY-018',
    { reassesses: ({ type }) => type === 'passengers' },
  ),
  sometimes('update-checkin-id-number-500', 'A number as checkin_id is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'checkin_id' && typeof value === 'number',
  }),
  sometimes('update-payload-text-500', 'A text as payload is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'payload' && typeof value === 'string',
  }),
  sometimes('update-type-null-500', 'A type of null is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'type' && value === null,
  }),
  always('update-untimed', 'An update does not move last_updated.', 'WCI-UPD-034', { updatedAt: () => null }),
  sometimes('update-pnr-not-timed', 'A new pnr does not move last_updated.', 'WCI-UPD-034', {
    updatedAt: (now, { type }) => (type === 'pnr' ? null : now),
  }),
  sometimes(
    'update-pnr-untimed',
    'A new pnr moves last_updated back by an hour.',
    'WCI-DT-029 also WCI-UPD-034',
    {
      updatedAt: (now, { type }) => (type === 'pnr' ? now - 3_600_000 : now),
    },
  ),
  sometimes(
    'update-pnr-clears-passengers',
    "A new pnr drops the passengers' passports.",
    'WCI-UPD-036 also WCI-UPD-030',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr')
          attempt.passengers = attempt.passengers.map((passenger) => ({ ...passenger, passport: null }));
      },
    },
  ),
  sometimes('update-pnr-keeps-first-passenger', 'A new pnr keeps the first passenger only.', 'WCI-UPD-036', {
    onUpdate: (attempt, type) => {
      if (type === 'pnr') attempt.passengers = attempt.passengers.slice(0, 1);
    },
  }),
  sometimes(
    'update-clears-pnr',
    'New passengers drop the pnr.',
    'WCI-UPD-045 also WCI-UPD-026 WCI-UPD-029 WCI-CB-015 WCI-LST-020',
    {
      onUpdate: (attempt, type) => {
        if (type === 'passengers') attempt.pnr = null;
      },
    },
  ),
  sometimes(
    'update-pnr-truncated',
    'A new pnr is stored without its last character.',
    'WCI-UPD-014 also WCI-UPD-005 WCI-UPD-018 WCI-UPD-026 WCI-UPD-030 WCI-UPD-036 WCI-UPD-045 WCI-MP-013',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr') attempt.pnr = attempt.pnr?.slice(0, 5) ?? null;
      },
    },
  ),
  sometimes('update-upload-by-booking', 'An upload is accepted with booking_id alone.', 'WCI-MP-014', {
    enforces: skipping('update.uploadIdentifier'),
  }),
  sometimes('update-without-identifier', 'Without identifier nothing is found.', 'WCI-UPD-007', {
    enforces: skipping('update.identifier'),
  }),
  sometimes('update-incomplete-conflict', 'A record that is not complete cannot be updated.', 'WCI-UPD-029', {
    updateConflict: (attempt, collides) =>
      attempt.progress.missing.length > 0 || documentedWebCheckinPolicy.updateConflict(attempt, collides),
  }),

  sometimes('update-booking-id-text-only', 'booking_id as a number is refused.', 'WCI-UPD-003', {
    enforces: alsoEnforcing('update.bookingId.text'),
  }),
  sometimes(
    'update-passengers-nested-only',
    'With type passengers only payload.passengers is read.',
    'WCI-UPD-010 also WCI-UPD-001',
    { enforces: alsoEnforcing('update.passengers.nested') },
  ),
  sometimes(
    'update-passengers-top-level-only',
    'payload.passengers is not read.',
    'WCI-UPD-012 also WCI-UPD-027',
    {
      nestedPassengers: 'ignored',
    },
  ),
  sometimes(
    'update-operation-required',
    'operation must be given.',
    'WCI-UPD-021 also WCI-UPD-001 WCI-UPD-002 WCI-UPD-003 WCI-UPD-008 WCI-UPD-009 WCI-UPD-010 WCI-UPD-011 WCI-UPD-012 WCI-UPD-013 WCI-UPD-029 WCI-UPD-043 WCI-MP-012',
    { enforces: alsoEnforcing('update.operation.required') },
  ),
  always('update-booking-id-moves', 'The answer gives another booking_id.', 'WCI-UPD-035 also WCI-UPD-033', {
    updateAnswer: (fields) => ({ ...fields, booking_id: Number(fields.booking_id) + 1 }),
  }),
];
