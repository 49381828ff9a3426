import { type Snapshot } from '../flightAlerts/subscriptions.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

const knownStatuses = (
  'schedule,delay,cancel,diversion,return,departure,arrival,diverted flight departure,diverted flight cancel,' +
  'diverted flight arrival,returned flight departure,returned flight cancel,returned flight arrival,' +
  'cancel in advance,circling,circled,climbing,cruising,descending,landing'
).split(',');

type Part = Record<string, unknown>;
const part = (snapshot: Snapshot, name: string) => snapshot[name] as Part;

/** A snapshot with one of its two ends changed. */
const withEnd = (snapshot: Snapshot, name: 'departure' | 'arrival', change: Part): Snapshot => ({
  ...snapshot,
  [name]: { ...part(snapshot, name), ...change },
});

const iso = (value: unknown) => (typeof value === 'string' ? value.replace(' ', 'T') : value);

/** Mistakes in the members of a leg snapshot. */
export const flightSnapshotDefects: readonly Defect[] = [
  sometimes('stopover-null', 'stopover is null for a non-stop leg.', 'FLA-SNP-002', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      stopover: part(snapshot, 'stopover').airportIata === null ? null : snapshot.stopover,
    }),
  }),
  always('codeshare-boolean', 'isCodeshare is a boolean.', 'FLA-SNP-006', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, isCodeshare: snapshot.isCodeshare === 1 }),
  }),
  sometimes('codeshare-text', 'isCodeshare of a codeshare is a string.', 'FLA-SNP-006', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      isCodeshare: snapshot.isCodeshare === 1 ? '1' : snapshot.isCodeshare,
    }),
  }),
  sometimes(
    'status-rewritten',
    'schedule, delay and cancel are rewritten.',
    'FLA-SNP-009 also FLA-CB-024 FLA-SNP-010',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status:
          { schedule: 'scheduled', delay: 'delayed', cancel: 'cancelled' }[String(snapshot.status)] ??
          snapshot.status,
      }),
    },
  ),
  sometimes('status-trimmed', 'Statuses are trimmed.', 'FLA-SNP-010', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      status: typeof snapshot.status === 'string' ? snapshot.status.trim() : null,
    }),
  }),
  sometimes('status-unknown-dropped', 'An unfamiliar status becomes null.', 'FLA-SNP-010', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      status: !knownStatuses.includes(String(snapshot.status)) ? null : snapshot.status,
    }),
  }),
  sometimes(
    'status-underscored',
    'Spaces in statuses become underscores.',
    'FLA-SNP-010 FLA-SNP-009 also FLA-CB-024',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status: typeof snapshot.status === 'string' ? snapshot.status.replaceAll(' ', '_') : null,
      }),
    },
  ),
  always('airline-code-cut', 'The airline code takes a digit along.', 'FLA-SNP-012', {
    airlineCode: (flightNumber) => flightNumber.slice(0, 3),
  }),
  sometimes('airline-code-two', 'The airline code has two characters always.', 'FLA-SNP-034', {
    airlineCode: (flightNumber) => flightNumber.slice(0, 2),
  }),
  always('airline-text', 'airline is a string.', 'FLA-SNP-011 also FLA-SNP-033', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, airline: part(snapshot, 'airline').code }),
  }),
  sometimes('flight-number-as-number', 'The flight number of a leg is a number.', 'FLA-SNP-001', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      flightNumber: Number(String(snapshot.flightNumber).replace(/\D/g, '')),
    }),
  }),
  always('times-iso', 'Departure times have a T.', 'FLA-SNP-016 also FLA-SNP-017 FLA-CB-022', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'departure', { scheduledTime: iso(part(snapshot, 'departure').scheduledTime) }),
  }),
  sometimes('arrival-converted', 'Arrival times are converted to the arrival airport.', 'FLA-SNP-017', {
    shapeSnapshot: (snapshot) => withEnd(snapshot, 'arrival', { scheduledTime: shifted(snapshot) }),
  }),
  sometimes(
    'estimate-filled-in',
    'A missing departure estimate is filled with the schedule.',
    'FLA-SNP-019',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'departure', {
          estimatedTime:
            part(snapshot, 'departure').estimatedTime ?? part(snapshot, 'departure').scheduledTime,
        }),
    },
  ),
  sometimes('boarding-status-upper-case', 'Boarding statuses are shown in upper case.', 'FLA-SNP-020', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'departure', {
        boardingStatus: upper(part(snapshot, 'departure').boardingStatus),
      }),
  }),
  sometimes('blanks-break', 'A blank gate breaks a lookup.', 'FLA-SNP-021', {
    shapeSnapshot: (snapshot) => {
      if (part(snapshot, 'departure').gate === '') throw new TypeError('gate');
      return snapshot;
    },
  }),
  sometimes(
    'alternates-cut',
    'Alternate routes show their status only.',
    'FLA-SNP-004 also FLA-CB-013 FLA-SNP-005 FLA-SNP-017',
    {
      shapeSnapshot: (snapshot) =>
        Array.isArray(snapshot.alternateInfo)
          ? {
              ...snapshot,
              alternateInfo: snapshot.alternateInfo.map((one: Part) => ({ status: one.status })),
            }
          : snapshot,
    },
  ),
  sometimes('codeshare-number-as-number', 'codeshareFlightNumber is a number.', 'FLA-SNP-007', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      codeshareFlightNumber:
        typeof snapshot.codeshareFlightNumber === 'string' && snapshot.codeshareFlightNumber !== ''
          ? Number(snapshot.codeshareFlightNumber.replace(/\D/g, ''))
          : snapshot.codeshareFlightNumber,
    }),
  }),
  always(
    'status-as-object',
    'The status of a leg is an object.',
    'FLA-SNP-008 also FLA-SNP-009 FLA-SNP-010 FLA-CB-008 FLA-CB-024 FLA-CB-007',
    { shapeSnapshot: (snapshot) => ({ ...snapshot, status: { name: snapshot.status } }) },
  ),
  always(
    'terminal-as-number',
    'The departure terminal is a number.',
    'FLA-SNP-013 also FLA-CB-001 FLA-CB-008 FLA-SNP-030',
    {
      shapeSnapshot: (snapshot) => withEnd(snapshot, 'departure', { terminal: 1 }),
    },
  ),
  always('baggage-belts-as-list', 'The baggage belt is a list.', 'FLA-SNP-014 also FLA-CB-007', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'arrival', { baggageBelt: [part(snapshot, 'arrival').baggageBelt] }),
  }),
  always('offset-as-object', 'The offset is an object.', 'FLA-SNP-015 also FLA-CB-007', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'arrival', {
        utcOffsetSeconds: { seconds: part(snapshot, 'arrival').utcOffsetSeconds },
      }),
  }),
  sometimes('lookup-arrival-date-of-departure', 'Arrivals carry the date of the departure.', 'FLA-SNP-017', {
    shapeSnapshot: (snapshot) => {
      const [{ scheduledTime: date }, { scheduledTime: time }] = [
        part(snapshot, 'departure'),
        part(snapshot, 'arrival'),
      ];
      if (typeof date !== 'string' || typeof time !== 'string' || !date || !time) return snapshot;
      return withEnd(snapshot, 'arrival', { scheduledTime: date.slice(0, 10) + time.slice(10) });
    },
  }),
  sometimes('lookup-midnight-lost', 'An arrival that is scheduled at midnight has no time.', 'FLA-SNP-017', {
    shapeSnapshot: (snapshot) => {
      const { scheduledTime } = part(snapshot, 'arrival');
      const isMidnight = typeof scheduledTime === 'string' && scheduledTime.endsWith(' 00:00:00');
      return isMidnight ? withEnd(snapshot, 'arrival', { scheduledTime: null }) : snapshot;
    },
  }),
  sometimes('lookup-offset-unsigned', 'The offset of the arrival has lost its sign.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => {
      const { utcOffsetSeconds } = part(snapshot, 'arrival');
      return Number(utcOffsetSeconds) < 0
        ? withEnd(snapshot, 'arrival', { utcOffsetSeconds: Math.abs(Number(utcOffsetSeconds)) })
        : snapshot;
    },
  }),
  sometimes(
    'lookup-terminal-made-up',
    'A leg without an arrival terminal arrives at terminal 1.',
    'FLA-SNP-032',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'arrival', { terminal: part(snapshot, 'arrival').terminal ?? '1' }),
    },
  ),
  sometimes('lookup-belt-dash', 'A belt that is not known is shown as a dash.', 'FLA-SNP-032', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'arrival', { baggageBelt: part(snapshot, 'arrival').baggageBelt ?? '-' }),
  }),
  sometimes(
    'lookup-actual-estimated',
    'A missing actual departure is filled with the estimate.',
    'FLA-SNP-032',
    {
      shapeSnapshot: (snapshot) => {
        const { actualTime, estimatedTime } = part(snapshot, 'departure');
        return withEnd(snapshot, 'departure', { actualTime: actualTime ?? estimatedTime });
      },
    },
  ),
  always('lookup-airline-nameless', 'The name of the airline is always null.', 'FLA-SNP-033', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, airline: { ...part(snapshot, 'airline'), name: null } }),
  }),
  sometimes('lookup-zero-offset-lost', 'An offset of zero is shown as null.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) =>
      part(snapshot, 'departure').utcOffsetSeconds === 0
        ? withEnd(snapshot, 'departure', { utcOffsetSeconds: null })
        : snapshot,
  }),
  sometimes('lookup-belt-lost', 'The baggage belt is never shown.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => withEnd(snapshot, 'arrival', { baggageBelt: null }),
  }),
  sometimes('lookup-city-lost', 'The city of the arrival is not shown.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => withEnd(snapshot, 'arrival', { city: null }),
  }),
  sometimes('lookup-codeshare-lost', 'isCodeshare 0 is shown as null.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => ({
      ...snapshot,
      isCodeshare: snapshot.isCodeshare === 0 ? null : snapshot.isCodeshare,
    }),
  }),
  sometimes('lookup-offset-lost', 'The offset of the departure is not shown.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => withEnd(snapshot, 'departure', { utcOffsetSeconds: null }),
  }),
  sometimes('lookup-offset-in-minutes', 'The offset of the arrival is in minutes.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) =>
      withEnd(snapshot, 'arrival', {
        utcOffsetSeconds: Number(part(snapshot, 'arrival').utcOffsetSeconds) / 60,
      }),
  }),
  sometimes('lookup-offset-whole-hours', 'Offsets are cut to whole hours.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => {
      const seconds = Number(part(snapshot, 'departure').utcOffsetSeconds);
      return seconds % 3600 === 0
        ? snapshot
        : withEnd(snapshot, 'departure', { utcOffsetSeconds: Math.trunc(seconds / 3600) * 3600 });
    },
  }),
  sometimes('lookup-seconds-cut', 'The seconds of estimated times are cut off.', 'FLA-SNP-017', {
    shapeSnapshot: (snapshot) => {
      const { estimatedTime } = part(snapshot, 'departure');
      return typeof estimatedTime === 'string'
        ? withEnd(snapshot, 'departure', { estimatedTime: estimatedTime.replace(/:\d\d$/, ':00') })
        : snapshot;
    },
  }),
  sometimes('lookup-stopover-city-lost', 'The city of a stopover is not shown.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, stopover: { ...part(snapshot, 'stopover'), city: null } }),
  }),
  sometimes('alternates-empty', 'alternateInfo is an empty array where none was received.', 'FLA-SNP-003', {
    absentAlternateInfo: 'empty',
  }),
];

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value;
}

/** The scheduled arrival in the arrival airport's time, by the offsets of both ends. */
function shifted(snapshot: Snapshot): unknown {
  const arrival = part(snapshot, 'arrival');
  const ahead = Number(arrival.utcOffsetSeconds) - Number(part(snapshot, 'departure').utcOffsetSeconds);
  const text = arrival.scheduledTime;
  if (typeof text !== 'string' || text === '' || !ahead) return text;
  const time = Date.parse(`${text.replace(' ', 'T')}Z`) + ahead * 1000;
  return Number.isNaN(time) ? text : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
