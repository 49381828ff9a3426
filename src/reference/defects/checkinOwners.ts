import { ofTheKey, openTo } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in telling whose records are whose. */
export const checkinOwnerDefects: readonly Defect[] = [
  // Another enterprise's records are shown
  always(
    'status-of-anyone',
    "The status of any enterprise's record can be read.",
    'WCI-SCP-001 also WCI-SCP-004 WCI-SCP-014',
    { sees: openTo(({ operation, by }) => operation === 'status' && by === 'checkin_id') },
  ),
  sometimes(
    'status-of-anyone-by-alias',
    "The status of any enterprise's record can be read by checkinId.",
    'WCI-SCP-013',
    { sees: openTo(({ by }) => by === 'checkinId') },
  ),
  sometimes(
    'status-of-anyone-completed',
    "The status of any enterprise's completed record can be read.",
    'WCI-SCP-001',
    {
      sees: (attempt, { enterprise }, { operation }) =>
        attempt.enterprise === enterprise ||
        (operation === 'status' && attempt.progress.status === 'COMPLETED'),
    },
  ),
  always(
    'list-of-everyone',
    'The list shows the records of all enterprises.',
    'WCI-LST-023 also WCI-LST-025',
    { sees: openTo(({ operation }) => operation === 'list') },
  ),
  sometimes(
    'list-of-everyone-filtered',
    'A list with a filter shows the records of all enterprises.',
    'WCI-LST-023 also WCI-LST-013',
    { sees: openTo(({ operation, by }) => operation === 'list' && by !== null) },
  ),
  sometimes(
    'total-of-everyone',
    'total counts the records of all enterprises.',
    'WCI-LST-024 also WCI-LST-005 WCI-LST-013 WCI-LST-025',
    {
      totals: (_matching, _all, limit, everybody) => ({
        total: everybody,
        totalPages: Math.ceil(everybody / limit),
      }),
    },
  ),
  sometimes(
    'update-of-anyone',
    "Any enterprise's record can be updated.",
    'WCI-SCP-002 also WCI-SCP-004 WCI-SCP-006 WCI-SCP-011 WCI-MP-019',
    { sees: openTo(({ operation, by }) => operation === 'update' && by === 'checkin_id') },
  ),
  sometimes(
    'update-of-anyone-by-booking',
    "Any enterprise's record can be updated by its booking_id.",
    'WCI-SCP-003 also WCI-SCP-004 WCI-SCP-006',
    { sees: openTo(({ by }) => by === 'booking_id') },
  ),
  sometimes(
    'foreign-ended-as-conflict',
    "An update of another enterprise's record that has ended is a conflict.",
    'WCI-SCP-002',
    {
      sees: (attempt, { enterprise }, { operation }) =>
        attempt.enterprise === enterprise ||
        (operation === 'update' && attempt.progress.status === 'COMPLETED'),
    },
  ),
  sometimes(
    'foreign-update-stored',
    "An update of another enterprise's record is refused after it is stored.",
    'WCI-SCP-006',
    { unseenUpdate: 'stored' },
  ),

  // A refusal says that there is a record
  sometimes(
    'foreign-forbidden',
    "Another enterprise's record is forbidden.",
    'WCI-SCP-001 WCI-SCP-002 WCI-SCP-003 also WCI-SCP-004 WCI-SCP-011 WCI-SCP-013 WCI-SCP-014 SHR-ERR-015 SHR-ERR-016 WCI-MP-019',
    { foreignRecord: () => 'forbidden' },
  ),
  sometimes(
    'foreign-forbidden-by-alias',
    "Another enterprise's record is forbidden where it is named by an alias.",
    'WCI-SCP-013 also SHR-ERR-016 SHR-ERR-015 WCI-MP-019 WCI-SCP-002 WCI-SCP-004',
    {
      foreignRecord: ({ by }) => (by === 'checkinId' || by === 'webcheckin_id' ? 'forbidden' : 'missing'),
    },
  ),
  sometimes(
    'foreign-told',
    "The message of a 404 says that the record is another enterprise's.",
    'WCI-SCP-004',
    { foreignRecord: () => 'told' },
  ),
  sometimes(
    'foreign-told-by-booking',
    "The message of a 404 says that the booking_id is another enterprise's.",
    'WCI-SCP-004',
    { foreignRecord: ({ by }) => (by === 'booking_id' ? 'told' : 'missing') },
  ),

  // A key of the enterprise does not see its records
  sometimes('list-of-the-key', 'A key lists only what was made with it.', 'WCI-LST-022 also WCI-SCP-012', {
    sees: ofTheKey(({ operation }) => operation === 'list'),
  }),
  sometimes(
    'status-of-the-key',
    'A key reads the status only of what was made with it.',
    'WCI-SCP-010 also WCI-SCP-012 WCI-STS-001',
    { sees: ofTheKey(({ operation }) => operation === 'status') },
  ),
  sometimes('update-of-the-key', 'A key updates only what was made with it.', 'WCI-UPD-044', {
    sees: ofTheKey(({ operation }) => operation === 'update'),
  }),
  sometimes(
    'records-lost-with-key',
    'Records are read only while the key that made them is active.',
    'WCI-SCP-012 also WCI-SCP-010 WCI-STS-001',
    {
      sees: (attempt, { enterprise, apiKey }, { operation }) =>
        attempt.enterprise === enterprise && (operation !== 'status' || apiKey === attempt.apiKey),
    },
  ),
  sometimes(
    'records-revoked-with-key',
    'A revoked key takes the records that it made with it.',
    'WCI-SCP-012 also WCI-STS-001',
    { revocationTakes: 'its records' },
  ),
  sometimes(
    'list-revoked-with-key',
    'The list leaves out what a key made that is revoked now.',
    'WCI-SCP-012',
    { revocationTakes: 'their place in the list' },
  ),
  sometimes(
    'foreign-told-by-alias',
    "The message of a 404 says that the webcheckin_id is another enterprise's.",
    'WCI-SCP-004',
    { foreignRecord: ({ by }) => (by === 'webcheckin_id' ? 'told' : 'missing') },
  ),
  sometimes(
    'update-of-anyone-by-multipart-alias',
    "Any enterprise's record can be updated by webcheckin_id in a multipart body.",
    'WCI-MP-019 also WCI-SCP-002',
    { sees: openTo(({ by, multipart }) => multipart && by === 'webcheckin_id') },
  ),
  sometimes(
    'update-of-anyone-by-multipart',
    "Any enterprise's record can be updated by a multipart body.",
    'WCI-MP-019 also WCI-SCP-002',
    { sees: openTo(({ multipart }) => multipart) },
  ),
  sometimes(
    'update-of-anyone-by-alias',
    "Any enterprise's record can be updated by webcheckin_id.",
    'WCI-SCP-002 also WCI-MP-019 WCI-SCP-006',
    { sees: openTo(({ by }) => by === 'webcheckin_id') },
  ),
  sometimes('pnr-update-of-anyone', "The pnr of any enterprise's record can be updated.", 'WCI-SCP-002', {
    sees: openTo(({ operation, type }) => operation === 'update' && type === 'pnr'),
  }),
  sometimes(
    'update-falls-back-from-unknown',
    'Where the checkin_id is unknown the booking_id beside it is taken.',
    'WCI-UPD-008',
    { fallsBack: 'unknown' },
  ),
];
