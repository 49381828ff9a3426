import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import type { Members, UpdateForm, UpdateTaken } from '../webcheckin/policyTerms.ts';
import { skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

type Order = ReturnType<typeof documentedWebCheckinPolicy.identifierOrder>;

const bookingFirst: Order = ['booking_id', 'checkin_id', 'webcheckin_id'];
const given = (sent: Members, name: string) => sent[name] !== undefined && sent[name] !== null;
const isByAlias = ({ sent }: UpdateTaken) => !given(sent, 'checkin_id') && given(sent, 'webcheckin_id');
const isByBooking = ({ sent }: UpdateTaken) =>
  !['checkin_id', 'webcheckin_id'].some((name) => given(sent, name));

/** Lets booking_id go first where `when` holds. */
function bookingFirstWhen(when: (update: UpdateForm, sent: Members) => boolean) {
  return {
    identifierOrder: (update: UpdateForm, sent: Members): Order =>
      when(update, sent) ? bookingFirst : documentedWebCheckinPolicy.identifierOrder(update, sent),
  };
}

/** Mistakes in updates by one of the identifiers, or in one of the encodings. */
export const checkinIdentifierDefects: readonly Defect[] = [
  // Which record
  sometimes(
    'update-booking-text-first',
    'A booking_id of digits in a text takes precedence.',
    'WCI-UPD-005',
    bookingFirstWhen((_, { booking_id }) => typeof booking_id === 'string'),
  ),
  sometimes(
    'update-booking-before-alias',
    'booking_id takes precedence over webcheckin_id.',
    'WCI-UPD-005',
    bookingFirstWhen((_, sent) => !given(sent, 'checkin_id')),
  ),
  sometimes(
    'update-booking-first-in-parts',
    'booking_id takes precedence in a multipart body.',
    'WCI-UPD-005',
    bookingFirstWhen(({ multipart }) => multipart),
  ),
  sometimes(
    'update-booking-first-for-passengers',
    'booking_id takes precedence where the passengers are replaced.',
    'WCI-UPD-005 also WCI-SCP-011 WCI-UPD-006 WCI-UPD-008',
    bookingFirstWhen(({ type, multipart }) => type !== 'pnr' && !multipart),
  ),
  sometimes('update-alias-as-booking', 'webcheckin_id may be a booking_id.', 'WCI-UPD-054 also WCI-UPD-035', {
    bookingIdAs: (name) => name === 'webcheckin_id',
  }),
  sometimes('update-id-as-booking', 'checkin_id may be a booking_id.', 'WCI-UPD-054 also WCI-UPD-035', {
    bookingIdAs: (name) => name === 'checkin_id',
  }),

  // What it does
  sometimes(
    'update-booking-pnr-ignored',
    'A new pnr by booking_id is not stored.',
    'WCI-UPD-014 also WCI-UPD-030',
    {
      stores: (update) => update.type !== 'pnr' || !isByBooking(update),
    },
  ),
  sometimes(
    'update-alias-pnr-ignored',
    'A new pnr by webcheckin_id is not stored.',
    'WCI-UPD-014 also WCI-UPD-005 WCI-UPD-030',
    {
      stores: (update) => update.type !== 'pnr' || !isByAlias(update),
    },
  ),
  sometimes(
    'update-booking-passengers-ignored',
    'New passengers by booking_id are not stored.',
    'WCI-UPD-003 WCI-UPD-004 also WCI-RDY-002 WCI-UPD-029',
    { stores: (update) => update.type === 'pnr' || !isByBooking(update) },
  ),
  sometimes(
    'update-booking-pnr-not-reassessed',
    'A new pnr by booking_id does not change what is missing.',
    'WCI-UPD-030',
    { reassesses: (update) => update.type !== 'pnr' || !isByBooking(update) },
  ),
  sometimes(
    'update-alias-pnr-not-reassessed',
    'A new pnr by webcheckin_id does not change what is missing.',
    'WCI-UPD-030',
    { reassesses: (update) => update.type !== 'pnr' || !isByAlias(update) },
  ),
  sometimes('update-booking-untimed', 'An update by booking_id does not move last_updated.', 'WCI-UPD-034', {
    updatedAt: (now, update) => (isByBooking(update) ? null : now),
  }),
  sometimes('update-alias-untimed', 'An update by webcheckin_id does not move last_updated.', 'WCI-UPD-034', {
    updatedAt: (now, update) => (isByAlias(update) ? null : now),
  }),

  sometimes(
    'update-booking-id-too-big-500',
    'A booking_id beyond what a database holds is an internal error.',
    'SHR-ERR-007',
    { breaksOn: (field, value) => field === 'booking_id' && /^\d{19,}$/.test(String(value)) },
  ),
  sometimes('update-negative-booking-id-500', 'A negative booking_id is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'booking_id' && Number(value) < 0,
  }),
  sometimes('update-zero-character-500', 'A checkin_id with a NUL is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'checkin_id' && String(value).includes('\0'),
  }),
  sometimes(
    'update-long-id-500',
    'A checkin_id longer than its column is an internal error.',
    'SHR-ERR-007',
    {
      breaksOn: (field, value) => field === 'checkin_id' && String(value).length > 255,
    },
  ),

  // In parts
  sometimes('update-upload-untimed', 'A multipart update does not move last_updated.', 'WCI-UPD-034', {
    updatedAt: (now, { form }) => (form.multipart ? null : now),
  }),
  sometimes('update-scan-untimed', 'An update with a scan does not move last_updated.', 'WCI-UPD-034', {
    updatedAt: (now, { form }) => (form.files > 0 ? null : now),
  }),
  sometimes(
    'update-upload-unseen-untimed',
    'A multipart update that shows nowhere does not move last_updated.',
    'WCI-UPD-034',
    { updatedAt: (now, { form }, shows) => (form.multipart && !shows ? null : now) },
  ),
  sometimes('upload-pnr-beside-passengers', 'A pnr in a part beside passengers is taken.', 'WCI-UPD-019', {
    onUpdate: (attempt, type, { form, sent: { pnr } }) => {
      if (form.multipart && type === 'passengers' && typeof pnr === 'string') attempt.pnr = pnr;
    },
  }),
  sometimes('upload-pnr-clears', 'A pnr in a part beside passengers clears the pnr.', 'WCI-UPD-045', {
    onUpdate: (attempt, type, { form, sent }) => {
      if (form.multipart && type === 'passengers' && given(sent, 'pnr')) attempt.pnr = null;
    },
  }),
  sometimes('upload-pnr-instead', 'A pnr in a part goes before that of the payload.', 'WCI-UPD-018', {
    onUpdate: (attempt, type, { form, sent: { pnr } }) => {
      if (form.multipart && type === 'pnr' && typeof pnr === 'string') attempt.pnr = pnr;
    },
  }),
  sometimes('upload-pnr-empty', 'payload.pnr of a multipart update may be empty.', 'WCI-UPD-016', {
    enforces: skipping('update.pnr.length', ({ multipart }) => multipart),
  }),
  sometimes('upload-pnr-missing', 'payload.pnr of a multipart update may be missing.', 'WCI-UPD-015', {
    enforces: skipping('update.pnr.needed', ({ multipart }) => multipart),
  }),
  sometimes(
    'upload-nationality-lost',
    'The nationality of a passenger is lost in a multipart update.',
    'WCI-MP-012',
    {
      mergePassengers: (_, sent, { multipart }) =>
        multipart
          ? sent.map(({ nationality: _lost, ...passenger }) => passenger as (typeof sent)[number])
          : sent,
    },
  ),
];
