import { isBlank } from '../webcheckin/readiness.ts';
import type { Attempt } from '../webcheckin/records.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in finding a booking again that is subscribed already. */
export const checkinRepeatDefects: readonly Defect[] = [
  sometimes('repeat-moves-last-updated', 'A repeated subscribe counts as an update.', 'WCI-SUB-072', {
    onRepeat: (attempt) => {
      attempt.updatedAt += 1;
    },
  }),
  sometimes(
    'subscribe-racy',
    'Looking for a booking, judging the quota and storing are separate steps.',
    'WCI-SUB-021 WCI-QTA-010 also WCI-QTA-009',
    { serializesSubscribes: false },
  ),
  sometimes('pnrless-all-one', 'All bookings without record locator are one.', 'WCI-SUB-002', {
    pnrlessKey: () => '-',
  }),
  always(
    'repeat-creates',
    'A repeated subscribe creates another attempt.',
    'WCI-SUB-015 WCI-SUB-016 WCI-SUB-019 also WCI-SUB-020 WCI-SUB-021 WCI-MP-018',
    { bookingKey: ({ pnr }, serial) => `${pnr ?? ''} ${serial}` },
  ),
  sometimes(
    'repeat-incomplete-creates',
    'A booking is found again only where its attempt lacks nothing.',
    'WCI-SUB-015 WCI-SUB-016',
    { reuses: ({ progress }) => progress.missing.length === 0 },
  ),
  sometimes(
    'repeat-under-way-creates',
    'A booking is found again only while its attempt waits.',
    'WCI-SUB-015 WCI-SUB-016',
    { reuses: ({ progress }) => progress.status === 'SCHEDULED' },
  ),
  sometimes(
    'repeat-two-legs-creates',
    'A booking of two legs is not found again.',
    'WCI-SUB-015 WCI-SUB-016',
    {
      reuses: ({ legs }) => legs.length === 1,
    },
  ),
  sometimes(
    'repeat-updated-creates',
    'A booking is not found again once its attempt was updated.',
    'WCI-SUB-015 WCI-SUB-016',
    {
      reuses: ({ revision, progress }) => progress.status !== 'SCHEDULED' || revision === 0,
    },
  ),
  always(
    'repeat-unnamed',
    'A repeated subscribe answers SCHEDULED.',
    'WCI-SUB-015 also WCI-SUB-005 WCI-SUB-020',
    {
      repeatMessage: () => 'SCHEDULED',
    },
  ),
  sometimes('repeat-scoped-to-key', 'A booking is known only to the key that made it.', 'WCI-SUB-020', {
    bookingScope: ({ enterprise, apiKey }, key) => `${enterprise.id} ${apiKey} ${key}`,
  }),
  sometimes(
    'repeat-across-enterprises',
    'A booking of another enterprise is reused.',
    'WCI-SCP-007 also WCI-SCP-008 WCI-SCP-009 WCI-CB-022',
    { bookingScope: (_owner, key) => key },
  ),
  sometimes(
    'repeat-degrades',
    'A repeated subscribe with less data makes the attempt incomplete.',
    'WCI-SUB-018',
    {
      onRepeat: (attempt, { passengers }) => {
        if (attempt.progress.missing.length > 0 || !passengers.some(({ passport }) => isBlank(passport)))
          return;
        attempt.progress = { ...attempt.progress, subStatus: 'MISSING_INFO', missing: ['passport'] };
      },
    },
  ),
  sometimes(
    'repeat-ended-unnamed',
    'A repeated subscribe of a failed attempt answers SCHEDULED.',
    'WCI-SUB-015',
    {
      repeatMessage: ({ progress }) => (progress.status === 'FAILED' ? 'SCHEDULED' : 'ALREADY_SUBSCRIBED'),
    },
  ),
  sometimes(
    'repeat-restarts-completed',
    'A repeated subscribe starts a completed attempt anew.',
    'WCI-SUB-017',
    {
      onRepeat: (attempt) => {
        if (attempt.progress.status === 'COMPLETED') restart(attempt);
      },
    },
  ),
  sometimes(
    'repeat-restarts',
    'A repeated subscribe puts an attempt under way back to the start.',
    'WCI-SUB-017 also WCI-CB-015',
    {
      onRepeat: (attempt) => {
        if (attempt.progress.status !== 'SCHEDULED') restart(attempt);
      },
    },
  ),
  sometimes(
    'repeat-as-made',
    'A repeat shows an attempt that was updated as complete as it was made.',
    'WCI-STS-007',
    {
      subscribeBody: (fields, { revision }) => ({
        success: true,
        ...fields,
        ...(fields.message === 'ALREADY_SUBSCRIBED' && fields.status === 'SCHEDULED' && revision > 0
          ? { sub_status: 'COMPLETE_INFO', missing_info: [] }
          : {}),
      }),
    },
  ),
  sometimes(
    'repeat-missing-empty',
    'A repeat says that nothing is missing.',
    'WCI-STS-007 also WCI-RDY-019',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        ...(fields.message === 'ALREADY_SUBSCRIBED' ? { missing_info: [] } : {}),
      }),
    },
  ),
];

function restart(attempt: Attempt): void {
  attempt.progress = {
    ...attempt.progress,
    status: 'SCHEDULED',
    subStatus: 'COMPLETE_INFO',
    boardingPasses: [],
  };
}
