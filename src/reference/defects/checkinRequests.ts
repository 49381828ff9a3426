import { demanding } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what a request does, by its form and by the state of its record. */
export const checkinRequestDefects: readonly Defect[] = [
  // Malformed updates
  sometimes('update-pnr-number', 'A new pnr may be a number.', 'WCI-UPD-049', {
    newPnr: (_body, { pnr }) => (typeof pnr === 'number' ? String(pnr) : pnr),
  }),
  sometimes('update-operation-refused', 'operation must not be given.', 'WCI-UPD-021', {
    enforces: demanding('update.operation.none'),
  }),
  sometimes(
    'update-refused-stored',
    'An update that is refused as malformed is stored all the same.',
    'WCI-UPD-037 also SHR-ERR-013 WCI-UPD-007',
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
  always('update-without-operation', 'The answer does not tell the operation.', 'WCI-UPD-031', {
    updateBody: ({ success, type, data }) => ({ success, type, data }),
  }),
  always('update-unwrapped', 'The answer has the record at its top level.', 'WCI-UPD-031 also WCI-DT-026', {
    updateBody: ({ data, ...body }) => ({ ...body, ...(data as object) }),
  }),

  // Refused subscribes
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
    'WCI-QTA-008',
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
  sometimes('quota-incomplete-twice', 'An incomplete booking takes two units.', 'WCI-QTA-002', {
    consumes: (outcome) => (outcome === 'incomplete' ? 2 : outcome === 'complete' ? 1 : 0),
  }),
  sometimes('quota-upload-twice', 'A multipart subscribe takes two units.', 'WCI-QTA-001', {
    consumes: (outcome, { multipart }) =>
      outcome === 'complete' || outcome === 'incomplete' ? (multipart ? 2 : 1) : 0,
  }),
];
