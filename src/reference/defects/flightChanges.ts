import { omit } from './omit.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in what a notification reports of a change. */
export const flightChangeDefects: readonly Defect[] = [
  // New values, all of them
  always(
    'changes-previous-values',
    'The values before the change are reported.',
    'FLA-CB-008 also FLA-CB-001 FLA-CB-011 FLA-CB-013 FLA-CB-014 FLA-CB-022 FLA-CB-024 FLA-CB-080',
    { shapeChanges: (changes, _snapshot, before) => valuesOf(before, changes) },
  ),
  sometimes(
    'changes-second-part-stale',
    'Where departure and arrival change, the arrival is reported as it was.',
    'FLA-CB-008 also FLA-CB-011 FLA-CB-022',
    {
      shapeChanges: (changes, _snapshot, before) =>
        isPart(changes.departure) && isPart(changes.arrival)
          ? { ...changes, ...valuesOf(before, { arrival: changes.arrival }) }
          : changes,
    },
  ),
  sometimes('changes-flag-as-text', 'isCodeshare is told as a string.', 'FLA-CB-008', {
    shapeChanges: (changes) =>
      typeof changes.isCodeshare === 'number'
        ? { ...changes, isCodeshare: String(changes.isCodeshare) }
        : changes,
  }),
  sometimes(
    'changes-last-member-only',
    'Of several changed members of a departure only the last is reported.',
    'FLA-CB-009 also FLA-CB-011',
    {
      shapeChanges: (changes) =>
        isPart(changes.departure)
          ? { ...changes, departure: Object.fromEntries(Object.entries(changes.departure).slice(-1)) }
          : changes,
    },
  ),
  sometimes('changes-after-arrival', 'What changes after the arrival is not reported.', 'FLA-CB-001', {
    notificationsOf: (changes, before) => (before.status === 'arrival' ? [] : [changes]),
  }),
  sometimes('changes-zero-dropped', 'A zero is taken for nothing and not told.', 'FLA-CB-009', {
    shapeChanges: (changes) => (changes.isCodeshare === 0 ? omit(changes, 'isCodeshare') : changes),
  }),
  sometimes(
    'changes-airline-dropped',
    'A new name of the airline is not reported.',
    'FLA-CB-009 also FLA-CB-001 FLA-CB-032',
    { shapeChanges: (changes) => omit(changes, 'airline') },
  ),
  sometimes('changes-schedule-dropped', 'A new scheduled departure is not reported.', 'FLA-CB-009', {
    shapeChanges: (changes) =>
      isPart(changes.departure)
        ? { ...changes, departure: omit(changes.departure, 'scheduledTime') }
        : changes,
  }),
  sometimes('changes-city-dropped', 'A new city of the arrival is not reported.', 'FLA-CB-009', {
    shapeChanges: (changes) =>
      isPart(changes.arrival) ? { ...changes, arrival: omit(changes.arrival, 'city') } : changes,
  }),
  sometimes(
    'changes-unfamiliar-dropped',
    'A boarding status that nobody has listed is not reported.',
    'FLA-CB-009',
    {
      shapeChanges: (changes) => {
        const { departure } = changes;
        const isListed = (value: unknown) => typeof value !== 'string' || /^[a-z]+( |-|$)/.test(value);
        return isPart(departure) && !isListed(departure.boardingStatus)
          ? { ...changes, departure: omit(departure, 'boardingStatus') }
          : changes;
      },
    },
  ),

  // Only what changed
  sometimes(
    'changes-whole-snapshot',
    'Where several parts change, the whole snapshot is reported.',
    'FLA-CB-010 FLA-CB-012',
    { shapeChanges: (changes, snapshot) => (Object.keys(changes).length > 2 ? snapshot : changes) },
  ),
  sometimes('changes-status-along', 'The status is reported with every change of an arrival.', 'FLA-CB-010', {
    shapeChanges: (changes, { status }) => (changes.arrival === undefined ? changes : { ...changes, status }),
  }),

  // Cleared values
  sometimes('changes-nested-null-dropped', 'A cleared member of an arrival is left out.', 'FLA-CB-011', {
    shapeChanges: (changes) =>
      isPart(changes.arrival) ? { ...changes, arrival: withoutNulls(changes.arrival) } : changes,
  }),
  sometimes(
    'changes-null-as-text',
    'A cleared member of a departure is reported as a text.',
    'FLA-CB-011 also FLA-CB-022',
    {
      shapeChanges: (changes) =>
        isPart(changes.departure)
          ? {
              ...changes,
              departure: mapMembers(changes.departure, (value) => (value === null ? 'null' : value)),
            }
          : changes,
    },
  ),
  sometimes(
    'changes-null-dropped-beside-others',
    'A cleared member of a departure is left out where another member has a new value.',
    'FLA-CB-011',
    {
      shapeChanges: (changes) => {
        const { departure } = changes;
        if (!isPart(departure)) return changes;
        const rest = withoutNulls(departure);
        return Object.keys(rest).length > 0 ? { ...changes, departure: rest } : changes;
      },
    },
  ),

  // Alternate routes
  sometimes(
    'changes-alternates-reversed',
    'Two alternate routes are reported in the opposite order.',
    'FLA-CB-013 also FLA-CB-001',
    { shapeChanges: withAlternates((routes) => [...routes].reverse()) },
  ),
  sometimes(
    'changes-alternate-ends-dropped',
    'Of alternate routes only the status is reported.',
    'FLA-CB-013 also FLA-CB-001',
    {
      shapeChanges: withAlternates((routes) =>
        routes.map((one) => (isPart(one) ? { status: one.status } : one)),
      ),
    },
  ),
  sometimes(
    'changes-alternate-times-iso',
    'Times of alternate routes have a T.',
    'FLA-CB-022 also FLA-CB-013 FLA-CB-001',
    { shapeChanges: withAlternates((routes) => routes.map(withIsoTimes)) },
  ),
  sometimes(
    'changes-cleared-alternates-dropped',
    'Alternate routes that are gone are not reported.',
    'FLA-CB-013 also FLA-CB-032',
    {
      shapeChanges: (changes) => {
        const { alternateInfo } = changes;
        const isGone = alternateInfo === null || (Array.isArray(alternateInfo) && alternateInfo.length === 0);
        return isGone ? omit(changes, 'alternateInfo') : changes;
      },
    },
  ),
  sometimes(
    'changes-alternates-added',
    'New alternate routes are reported behind the old ones.',
    'FLA-CB-013 also FLA-CB-001',
    {
      shapeChanges: (changes, _snapshot, { alternateInfo: old }) =>
        Array.isArray(old) && Array.isArray(changes.alternateInfo)
          ? { ...changes, alternateInfo: [...(old as unknown[]), ...(changes.alternateInfo as unknown[])] }
          : changes,
    },
  ),

  // Stopover
  sometimes(
    'changes-stopover-as-text',
    'A stopover is reported as the code of its airport.',
    'FLA-CB-014 also FLA-CB-007',
    {
      shapeChanges: (changes) =>
        isPart(changes.stopover) && typeof changes.stopover.airportIata === 'string'
          ? { ...changes, stopover: changes.stopover.airportIata }
          : changes,
    },
  ),
  sometimes(
    'changes-cleared-stopover-dropped',
    'A stopover that is gone is not reported.',
    'FLA-CB-014 also FLA-CB-032',
    {
      shapeChanges: (changes, { stopover }) =>
        isPart(stopover) && Object.values(stopover).every((value) => value === null)
          ? omit(changes, 'stopover')
          : changes,
    },
  ),
  sometimes(
    'changes-stopover-half-cleared',
    'A stopover that has lost its airport only is reported as gone.',
    'FLA-CB-014',
    {
      shapeChanges: (changes, { stopover }) =>
        isPart(stopover) && stopover.airportIata === null && stopover.city !== null && 'stopover' in changes
          ? { ...changes, stopover: null }
          : changes,
    },
  ),

  // Times and statuses
  sometimes('changes-times-in-utc', 'Times of a departure are converted to UTC.', 'FLA-CB-022', {
    shapeChanges: (changes, { departure }) =>
      isPart(changes.departure) && isPart(departure)
        ? { ...changes, departure: shifted(changes.departure, -Number(departure.utcOffsetSeconds)) }
        : changes,
  }),
  sometimes(
    'changes-arrival-times-local',
    'Times of an arrival are converted to the arrival airport.',
    'FLA-CB-022',
    {
      shapeChanges: (changes, { departure, arrival }) =>
        isPart(changes.arrival) && isPart(departure) && isPart(arrival)
          ? {
              ...changes,
              arrival: shifted(
                changes.arrival,
                Number(arrival.utcOffsetSeconds) - Number(departure.utcOffsetSeconds),
              ),
            }
          : changes,
    },
  ),
  sometimes('changes-status-trimmed', 'A status is trimmed in notifications.', 'FLA-CB-024 also FLA-CB-001', {
    shapeChanges: (changes) =>
      typeof changes.status === 'string' ? { ...changes, status: changes.status.trim() } : changes,
  }),
  sometimes('changes-status-unknown', 'An unfamiliar status is reported as unknown.', 'FLA-CB-024', {
    shapeChanges: (changes) =>
      typeof changes.status === 'string' && !/^[a-z ]+$/.test(changes.status)
        ? { ...changes, status: 'unknown' }
        : changes,
  }),
];

/** The values that an earlier snapshot has where something changed. */
function valuesOf(before: Part, changes: Part): Part {
  return mapMembers(changes, (value, name) => {
    const old = before[name];
    return isPart(value) && isPart(old) ? mapMembers(value, (_, inner) => old[inner] ?? null) : (old ?? null);
  });
}

function withAlternates(shape: (routes: readonly unknown[]) => unknown): (changes: Part) => Part {
  return (changes) =>
    Array.isArray(changes.alternateInfo)
      ? { ...changes, alternateInfo: shape(changes.alternateInfo as unknown[]) }
      : changes;
}

function withIsoTimes(value: unknown): unknown {
  if (!isPart(value)) return value;
  return mapMembers(value, (inner, name) =>
    name.endsWith('Time') && typeof inner === 'string' ? inner.replace(' ', 'T') : withIsoTimes(inner),
  );
}

function withoutNulls(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));
}

/** Times moved by so many seconds, in their own form. */
function shifted(end: Part, seconds: number): Part {
  return mapMembers(end, (value, name) => {
    const ms = name.endsWith('Time') ? Date.parse(`${String(value).replace(' ', 'T')}Z`) : Number.NaN;
    if (Number.isNaN(ms) || Number.isNaN(seconds)) return value;
    return new Date(ms + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  });
}

function mapMembers(part: Part, map: (value: unknown, name: string) => unknown): Part {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, map(value, name)]));
}
