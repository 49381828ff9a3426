import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what status and subscribe answer, for some states of a record only. */
export const checkinAnswerDefects: readonly Defect[] = [
  sometimes('status-completed-missing-null', 'missing_info of a completed record is null.', 'WCI-STS-016', {
    statusBody: (fields) => ({
      success: true,
      ...fields,
      missing_info: fields.status === 'COMPLETED' ? null : fields.missing_info,
    }),
  }),
  sometimes(
    'status-booking-id-other',
    'The status gives a booking_id that is one too high.',
    'WCI-STS-006 also WCI-STS-008 WCI-STS-013 WCI-UPD-033',
    {
      statusBody: (fields) => ({ success: true, ...fields, booking_id: Number(fields.booking_id) + 1 }),
    },
  ),
  sometimes(
    'status-id-upper-case',
    'The status gives the checkin_id in capitals.',
    'WCI-STS-006 also WCI-SUB-017 WCI-UPD-033',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        checkin_id: String(fields.checkin_id).toUpperCase(),
      }),
    },
  ),
  sometimes(
    'status-incomplete-as-complete',
    'The status of an incomplete record has an empty missing_info.',
    'WCI-STS-007 WCI-STS-008 also WCI-RDY-019 WCI-UPD-027 WCI-UPD-033 WCI-CB-020',
    {
      statusBody: (fields) => ({ success: true, ...fields, missing_info: [] }),
    },
  ),
  sometimes(
    'status-complete-with-missing',
    'A complete record still names what was missing.',
    'WCI-RDY-017 also WCI-CB-020 WCI-STS-007 WCI-STS-008 WCI-SUB-018 WCI-UPD-029 WCI-UPD-033',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        missing_info: fields.sub_status === 'COMPLETE_INFO' ? ['passport'] : fields.missing_info,
      }),
    },
  ),
  always(
    'completed-without-passes-shown',
    'Only the first of several boarding passes is shown.',
    'WCI-CB-020 also WCI-STS-011',
    {
      finishedPasses: (passes) => passes.slice(0, 1),
    },
  ),
  sometimes(
    'subscribe-booking-id-null',
    'A repeated subscribe gives no booking_id.',
    'WCI-SUB-016 also WCI-STS-017 WCI-SUB-007',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        booking_id: fields.message === 'ALREADY_SUBSCRIBED' ? null : fields.booking_id,
      }),
    },
  ),
  sometimes(
    'repeat-says-scheduled',
    'A repeated subscribe says SCHEDULED whatever became of the attempt.',
    'WCI-SUB-017',
    {
      subscribeBody: (fields, attempt) =>
        documentedWebCheckinPolicy.subscribeBody(
          fields.message === 'ALREADY_SUBSCRIBED' && fields.status !== 'SCHEDULED'
            ? { ...fields, status: 'SCHEDULED', sub_status: 'COMPLETE_INFO' }
            : fields,
          attempt,
        ),
    },
  ),
  sometimes('repeat-success-false', 'success of a repeated subscribe is false.', 'SHR-ERR-034', {
    subscribeBody: (fields) => ({ success: fields.message !== 'ALREADY_SUBSCRIBED', ...fields }),
  }),
  sometimes(
    'complete-in-progress',
    'A complete booking gets status IN_PROGRESS.',
    'WCI-SUB-003 also WCI-STS-007 WCI-SUB-023 WCI-SUB-017',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.sub_status === 'COMPLETE_INFO' ? 'IN_PROGRESS' : fields.status,
      }),
    },
  ),
  sometimes(
    'incomplete-failed',
    'An incomplete booking gets status FAILED.',
    'WCI-SUB-012 also WCI-CB-011 WCI-STS-007',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.sub_status === 'MISSING_INFO' ? 'FAILED' : fields.status,
      }),
    },
  ),
  sometimes(
    'status-alias-without-passes',
    'By checkinId a completed record has no boarding_passes.',
    'WCI-STS-002 also WCI-STS-005 WCI-STS-011 WCI-STS-015',
    {
      statusBody: ({ boarding_passes, ...fields }, { by }) => ({
        success: true,
        ...fields,
        ...(by === 'checkinId' && fields.status === 'COMPLETED' ? {} : { boarding_passes }),
      }),
    },
  ),
  sometimes(
    'status-alias-nothing-missing',
    'By checkinId nothing is missing of an incomplete record.',
    'WCI-STS-002 also WCI-RDY-019',
    {
      statusBody: (fields, { by }) => ({
        success: true,
        ...fields,
        ...(by === 'checkinId' ? { missing_info: [] } : {}),
      }),
    },
  ),
  sometimes(
    'status-alias-of-before',
    'By checkinId last_updated is that of an hour before.',
    'WCI-STS-002 also WCI-DT-029',
    {
      statusBody: (fields, { by }) => ({
        success: true,
        ...fields,
        ...(by === 'checkinId'
          ? { last_updated: new Date(Date.parse(String(fields.last_updated)) - 3_600_000).toISOString() }
          : {}),
      }),
    },
  ),
];
