import type { UpdateForm } from '../webcheckin/policyTerms.ts';
import type { Passenger } from '../webcheckin/records.ts';
import { alsoEnforcing } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Fields that a new passenger leaves out keep their values, where `when` holds. */
const merging = (when: (update: UpdateForm) => boolean) => ({
  mergePassengers: (stored: readonly Passenger[], sent: readonly Passenger[], update: UpdateForm) =>
    when(update) ? sent.map((one, index) => ({ ...stored[index], ...one })) : sent,
});

/** Mistakes in what a request does, by its form and by the state of its record. */
export const checkinRequestDefects: readonly Defect[] = [
  // Malformed updates
  sometimes('update-pnr-number', 'A new pnr may be a number.', 'WCI-UPD-049', {
    newPnr: (_body, { pnr }) => (typeof pnr === 'number' ? String(pnr) : pnr),
  }),
  sometimes('update-operation-refused', 'operation must not be given.', 'WCI-UPD-021 also WCI-UPD-001', {
    enforces: alsoEnforcing('update.operation.none'),
  }),
  sometimes(
    'update-refused-stored',
    'An update that is refused as malformed is stored all the same.',
    'WCI-UPD-037 also SHR-ERR-012 SHR-ERR-013 WCI-UPD-007 WCI-UPD-015 WCI-UPD-016',
    {
      refusedPayload: (operation) => (operation === 'update' ? 'done' : 'nothing'),
    },
  ),

  // Names and forms of updates
  sometimes('update-alias-unknown-upload', 'webcheckin_id is not known in a multipart body.', 'WCI-MP-015', {
    identifierOrder: ({ multipart }) =>
      multipart ? ['checkin_id', 'booking_id'] : ['checkin_id', 'webcheckin_id', 'booking_id'],
  }),
  always('update-operation-past', 'The answer says operation updated.', 'WCI-UPD-031', {
    updateBody: (body) => ({ ...body, operation: 'updated' }),
  }),
  always('update-without-operation', 'The answer does not contain the operation.', 'WCI-UPD-031', {
    updateBody: ({ success, type, data }) => ({ success, type, data }),
  }),
  always('update-unwrapped', 'The answer has the record at its top level.', 'WCI-UPD-031', {
    updateBody: ({ data, ...body }) => ({ ...body, ...(data as object) }),
  }),

  // Refused subscribes
  always(
    'subscribe-internal-error',
    'Every subscribe that is well-formed is an internal error.',
    'WCI-SUB-001',
    {
      newCheckinId: () => {
        throw new Error('no id can be made');
      },
    },
  ),
  sometimes(
    'refused-subscribe-stored',
    'A subscribe that is refused as malformed leaves an attempt.',
    'WCI-SUB-067 also WCI-LST-018 WCI-LST-019',
    {
      refusedPayload: (operation, kind) =>
        operation === 'subscribe' && kind === 'structure' ? 'done' : 'nothing',
    },
  ),
  sometimes(
    'refused-webhook-stored',
    'A subscribe that is refused for its callbackData leaves an attempt.',
    'WCI-CBR-014',
    {
      refusedPayload: (operation, kind) =>
        operation === 'subscribe' && kind === 'callback' ? 'done' : 'nothing',
    },
  ),
  sometimes(
    'refused-subscribe-charged',
    'A subscribe that is refused as malformed takes a unit.',
    'WCI-QTA-008 also WCI-CBR-021',
    {
      refusedPayload: (operation) => (operation === 'subscribe' ? 'charged' : 'nothing'),
    },
  ),
  sometimes(
    'exhausted-stored',
    'A subscribe without entitlement is refused after its attempt is stored.',
    'WCI-QTA-007 also WCI-JRN-018 WCI-QTA-010',
    {
      quotaJudged: 'after',
    },
  ),

  // Units
  sometimes('quota-per-passenger', 'A subscribe takes a unit for each passenger.', 'WCI-QTA-001', {
    consumes: (outcome, { passengers }) =>
      outcome === 'complete' || outcome === 'incomplete' ? passengers.length : 0,
  }),
  sometimes('quota-raced', 'Simultaneous subscribes of one booking take a unit each.', 'WCI-QTA-001', {
    consumes: (outcome) => (outcome === 'rejected' || outcome === 'repeated' ? 0 : 1),
  }),
  sometimes('quota-per-leg', 'A subscribe takes a unit for each flight.', 'WCI-QTA-001', {
    consumes: (outcome, { legs }) => (outcome === 'complete' || outcome === 'incomplete' ? legs.length : 0),
  }),
  sometimes('quota-incomplete-twice', 'An incomplete booking takes two units.', 'WCI-QTA-002', {
    consumes: (outcome) => (outcome === 'incomplete' ? 2 : outcome === 'complete' ? 1 : 0),
  }),
  sometimes('quota-upload-twice', 'A multipart subscribe takes two units.', 'WCI-QTA-001', {
    consumes: (outcome, { multipart }) =>
      outcome === 'complete' || outcome === 'incomplete' ? (multipart ? 2 : 1) : 0,
  }),
  sometimes(
    'update-unseen-untimed',
    'An update that shows nowhere does not move last_updated.',
    'WCI-UPD-034',
    {
      updatedAt: (now, _update, shows) => (shows ? now : null),
    },
  ),
  sometimes('update-appends-upload', 'Passengers of a multipart update are appended.', 'WCI-UPD-026', {
    mergePassengers: (stored, sent, { multipart }) => (multipart ? [...stored, ...sent] : sent),
  }),
  sometimes(
    'update-merges-upload',
    'Fields that are left out of a multipart update keep their values.',
    'WCI-UPD-027',
    merging(({ multipart }) => multipart),
  ),
  sometimes(
    'update-merges-payload',
    'Fields that are left out of a payload keep their values.',
    'WCI-UPD-027',
    merging(({ nested }) => nested),
  ),
  sometimes(
    'update-booking-unknown-pnr',
    'booking_id is not known where the pnr is changed.',
    'WCI-UPD-003 also WCI-UPD-004',
    {
      identifierOrder: ({ type }) =>
        type === 'pnr' ? ['checkin_id', 'webcheckin_id'] : ['checkin_id', 'webcheckin_id', 'booking_id'],
    },
  ),
  sometimes(
    'update-alias-unknown-pnr',
    'webcheckin_id is not known where the pnr is changed.',
    'WCI-UPD-002 also WCI-UPD-005',
    {
      identifierOrder: ({ type }) =>
        type === 'pnr' ? ['checkin_id', 'booking_id'] : ['checkin_id', 'webcheckin_id', 'booking_id'],
    },
  ),
  sometimes(
    'update-conflict-stored',
    'An update that is refused for its conflict is stored all the same.',
    'WCI-UPD-047',
    {
      conflictJudged: 'after',
    },
  ),
  sometimes('update-pnr-beside-passengers', 'A top-level pnr beside passengers is taken.', 'WCI-UPD-019', {
    onUpdate: (attempt, type, { sent: { pnr } }) => {
      if (type === 'passengers' && typeof pnr === 'string') attempt.pnr = pnr;
    },
  }),
];
