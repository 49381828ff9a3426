import { documentedWebCheckinPolicy } from '../webcheckin/policy.ts';
import { omit } from './omit.ts';
import { demanding, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in updates. */
export const checkinUpdateDefects: readonly Defect[] = [
  sometimes(
    'update-alias-unknown',
    'webcheckin_id is not known.',
    { identifierOrder: ['checkin_id', 'booking_id'] },
    ['WCI-UPD-002'],
    ['WCI-MP-015'],
  ),
  sometimes(
    'update-booking-id-number-only',
    'booking_id as a string is refused.',
    { enforces: demanding('update.bookingId.number') },
    ['WCI-UPD-004'],
  ),
  sometimes(
    'update-booking-first',
    'booking_id takes precedence.',
    { identifierOrder: ['booking_id', 'checkin_id', 'webcheckin_id'] },
    ['WCI-UPD-005'],
    ['WCI-SCP-011', 'WCI-UPD-006'],
  ),
  sometimes(
    'update-falls-back',
    'An identifier that finds nothing gives way to the next.',
    { fallsBack: true },
    ['WCI-SCP-011'],
  ),
  sometimes(
    'update-type-any',
    'Any type is taken for passengers.',
    { enforces: skipping('update.type.values') },
    ['WCI-UPD-020'],
  ),
  sometimes(
    'update-operation-any',
    'Any operation is taken for update.',
    { enforces: skipping('update.operation.values') },
    ['WCI-UPD-022'],
  ),
  sometimes(
    'update-passengers-empty-nested',
    'An empty list in payload removes all passengers.',
    { enforces: skipping('passengers.least', ({ nested }) => nested) },
    ['WCI-UPD-023'],
  ),
  always(
    'update-passengers-empty',
    'An empty list removes all passengers.',
    { enforces: skipping('passengers.least', ({ operation }) => operation === 'update') },
    ['WCI-UPD-023'],
    ['WCI-UPD-037'],
  ),
  sometimes(
    'update-passengers-unneeded',
    'type passengers without passengers removes them all.',
    { enforces: skipping('update.passengers.needed') },
    ['WCI-UPD-024'],
  ),
  sometimes(
    'update-names-unchecked',
    'An update does not check the names.',
    { enforces: skipping('passenger.name.length', ({ operation }) => operation === 'update') },
    ['WCI-UPD-025'],
  ),
  sometimes(
    'update-second-passenger-unchecked',
    'An update does not check the names from the second passenger.',
    {
      enforces: skipping(
        'passenger.name.required',
        ({ operation, passenger }) => operation === 'update' && passenger > 0,
      ),
    },
    ['WCI-UPD-025'],
  ),
  sometimes('update-pnr-empty', 'type pnr takes an empty pnr.', { enforces: skipping('update.pnr.length') }, [
    'WCI-UPD-016',
  ]),
  sometimes(
    'update-pnr-missing',
    'type pnr without pnr clears it.',
    { enforces: skipping('update.pnr.needed') },
    ['WCI-UPD-015'],
    ['WCI-UPD-017', 'WCI-UPD-049'],
  ),
  sometimes(
    'update-pnr-top-level',
    'A top-level pnr serves where payload has none.',
    { newPnr: ({ pnr }, payload) => payload.pnr ?? pnr },
    ['WCI-UPD-017'],
  ),
  sometimes(
    'update-pnr-top-level-first',
    'A top-level pnr takes precedence.',
    { newPnr: ({ pnr }, payload) => (payload.pnr === undefined ? undefined : (pnr ?? payload.pnr)) },
    ['WCI-UPD-018'],
  ),
  sometimes(
    'update-merges-by-index',
    'Passengers beyond the new list are kept.',
    { mergePassengers: (stored, sent) => [...sent, ...stored.slice(sent.length)] },
    ['WCI-UPD-026'],
    ['WCI-RDY-010'],
  ),
  sometimes(
    'update-merges-fields',
    'Fields that are left out keep their values.',
    {
      mergePassengers: (stored, sent) => sent.map((passenger, index) => ({ ...stored[index], ...passenger })),
    },
    ['WCI-UPD-027'],
  ),
  sometimes(
    'update-appends',
    'New passengers are appended.',
    { mergePassengers: (stored, sent) => [...stored, ...sent] },
    ['WCI-UPD-026'],
    ['WCI-UPD-029', 'WCI-RDY-010', 'WCI-RDY-018'],
  ),
  sometimes(
    'update-keeps-length',
    'A longer list is cut to the stored length.',
    { mergePassengers: (stored, sent) => sent.slice(0, stored.length) },
    ['WCI-UPD-028'],
    ['WCI-RDY-009', 'WCI-RDY-012', 'WCI-RDY-013'],
  ),
  sometimes('update-type-fixed', 'The answer always says passengers.', { updateType: () => 'passengers' }, [
    'WCI-UPD-050',
  ]),
  always(
    'update-type-upper-case',
    'The answer says the type in upper case.',
    { updateType: (type) => type.toUpperCase() },
    ['WCI-UPD-050'],
    ['WCI-UPD-011', 'WCI-UPD-013', 'WCI-UPD-031'],
  ),
  always(
    'update-without-last-updated',
    'The answer does not tell last_updated.',
    { updateAnswer: (fields) => omit(fields, 'last_updated') },
    ['WCI-UPD-032'],
    ['WCI-DT-026'],
  ),
  sometimes(
    'update-answer-stale',
    'The answer calls every record complete.',
    { updateAnswer: (fields) => ({ ...fields, sub_status: 'COMPLETE_INFO', missing_info: [] }) },
    ['WCI-UPD-033'],
  ),
  sometimes(
    'update-not-reassessed',
    'New passengers do not change what is missing.',
    { reassesses: (type) => type === 'pnr' },
    ['WCI-UPD-029'],
    ['WCI-UPD-010', 'WCI-UPD-021', 'WCI-UPD-026', 'WCI-UPD-027', 'WCI-MP-012', 'WCI-RDY-018'],
  ),
  sometimes(
    'update-pnr-not-reassessed',
    'A new pnr does not change what is missing.',
    { reassesses: (type) => type === 'passengers' },
    ['WCI-UPD-030'],
    ['WCI-RDY-018'],
  ),
  always('update-untimed', 'An update does not move last_updated.', { updatedAt: () => null }, [
    'WCI-UPD-034',
  ]),
  sometimes(
    'update-pnr-untimed',
    'A new pnr moves last_updated back by an hour.',
    { updatedAt: (now, type) => (type === 'pnr' ? now - 3_600_000 : now) },
    ['WCI-DT-029'],
  ),
  sometimes(
    'update-pnr-clears-passengers',
    "A new pnr drops the passengers' passports.",
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr')
          attempt.passengers = attempt.passengers.map((passenger) => ({ ...passenger, passport: null }));
      },
    },
    ['WCI-UPD-036'],
    ['WCI-UPD-030'],
  ),
  sometimes(
    'update-pnr-keeps-first-passenger',
    'A new pnr keeps the first passenger only.',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr') attempt.passengers = attempt.passengers.slice(0, 1);
      },
    },
    ['WCI-UPD-036'],
  ),
  sometimes(
    'update-clears-pnr',
    'New passengers drop the pnr.',
    {
      onUpdate: (attempt, type) => {
        if (type === 'passengers') attempt.pnr = null;
      },
    },
    ['WCI-UPD-045'],
    ['WCI-UPD-026', 'WCI-UPD-029'],
  ),
  sometimes(
    'update-pnr-truncated',
    'A new pnr is stored without its last character.',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr') attempt.pnr = attempt.pnr?.slice(0, 5) ?? null;
      },
    },
    ['WCI-UPD-014'],
    ['WCI-UPD-005', 'WCI-UPD-030', 'WCI-MP-013'],
  ),
  sometimes(
    'update-upload-by-booking',
    'An upload is accepted with booking_id alone.',
    { enforces: skipping('update.uploadIdentifier') },
    ['WCI-MP-014'],
  ),
  sometimes(
    'update-without-identifier',
    'Without identifier nothing is found.',
    { enforces: skipping('update.identifier') },
    ['WCI-UPD-007'],
  ),
  sometimes(
    'update-incomplete-conflict',
    'A record that is not complete cannot be updated.',
    {
      updateConflict: (attempt, collides) =>
        attempt.progress.missing.length > 0 || documentedWebCheckinPolicy.updateConflict(attempt, collides),
    },
    ['WCI-UPD-029'],
  ),

  sometimes(
    'update-booking-id-text-only',
    'booking_id as a number is refused.',
    { enforces: demanding('update.bookingId.text') },
    ['WCI-UPD-003'],
  ),
  sometimes(
    'update-passengers-nested-only',
    'With type passengers only payload.passengers is read.',
    { enforces: demanding('update.passengers.nested') },
    ['WCI-UPD-010'],
  ),
  sometimes(
    'update-passengers-top-level-only',
    'payload.passengers is not read.',
    { nestedPassengers: 'ignored' },
    ['WCI-UPD-012'],
  ),
  sometimes(
    'update-operation-required',
    'operation must be given.',
    { enforces: demanding('update.operation.required') },
    ['WCI-UPD-021'],
    [
      'WCI-UPD-001',
      'WCI-UPD-002',
      'WCI-UPD-003',
      'WCI-UPD-008',
      'WCI-UPD-009',
      'WCI-UPD-010',
      'WCI-UPD-011',
      'WCI-UPD-012',
      'WCI-UPD-013',
      'WCI-UPD-029',
      'WCI-UPD-043',
      'WCI-MP-012',
    ],
  ),
  always(
    'update-booking-id-moves',
    'The answer tells another booking_id.',
    { updateAnswer: (fields) => ({ ...fields, booking_id: Number(fields.booking_id) + 1 }) },
    ['WCI-UPD-035'],
    ['WCI-UPD-033'],
  ),
];
