import { documentedFlightAlertsPolicy } from '../flightAlerts/documented.ts';
import { documentedCleaning, type FlightNumberCleaning } from '../flightAlerts/flightNumber.ts';
import { airports, compare, type Snapshot } from '../flightAlerts/leg.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** The cleaning of flight numbers with one property changed. */
const cleaning = (change: Partial<FlightNumberCleaning>) => ({
  cleaning: () => ({ ...documentedCleaning, ...change }),
});

const knownStatuses = (
  'schedule,delay,cancel,diversion,return,departure,arrival,diverted flight departure,diverted flight cancel,' +
  'diverted flight arrival,returned flight departure,returned flight cancel,returned flight arrival,' +
  'cancel in advance,circling,circled,climbing,cruising,descending,landing'
).split(',');

const DAY = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

type Part = Record<string, unknown>;
const part = (snapshot: Snapshot, name: string) => snapshot[name] as Part;

/** A snapshot with one of its two ends changed. */
const withEnd = (snapshot: Snapshot, name: 'departure' | 'arrival', change: Part): Snapshot => ({
  ...snapshot,
  [name]: { ...part(snapshot, name), ...change },
});

const iso = (value: unknown) => (typeof value === 'string' ? value.replace(' ', 'T') : value);

/** Mistakes in looking flights up and in leg snapshots. */
export const flightLookupDefects: readonly Defect[] = [
  sometimes(
    'number-case-sensitive',
    'A lower-case flight number is refused.',
    'FLA-GET-011 also FLA-GET-014',
    cleaning({ upperCases: false }),
  ),
  sometimes(
    'number-hyphens-kept',
    'Hyphens are not removed.',
    'FLA-GET-012 also FLA-GET-014',
    cleaning({ removes: / /g }),
  ),
  sometimes(
    'number-one-space-removed',
    'Only the first space or hyphen is removed.',
    'FLA-GET-012 also FLA-GET-014',
    cleaning({ removes: /[ -]/ }),
  ),
  sometimes(
    'number-zeros-kept',
    'Leading zeros are not removed.',
    'FLA-GET-013 also FLA-GET-014 FLA-GET-015',
    cleaning({ zeros: /^(?!)/ }),
  ),
  sometimes(
    'number-one-zero-removed',
    'Only one leading zero is removed.',
    'FLA-GET-013 also FLA-GET-014 FLA-GET-015',
    cleaning({ zeros: /^([A-Z]{2})0(?=\d)/ }),
  ),
  sometimes(
    'number-zeros-counted',
    'Digits are counted before all zeros are removed.',
    'FLA-GET-015 also FLA-GET-014',
    cleaning({ zeros: /^([A-Z]{2})0{1,3}(?=\d)/ }),
  ),
  sometimes(
    'number-five-digits',
    'Flight numbers may have more digits.',
    'FLA-GET-017 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{1,6}$/ }),
  ),
  sometimes(
    'number-without-digits',
    'Flight numbers may have no digits.',
    'FLA-GET-016 also FLA-SUB-018 FLA-GET-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{0,4}$/ }),
  ),
  sometimes(
    'number-short-prefix',
    'The prefix may have one character.',
    'FLA-GET-018 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{1,3}\d{1,4}$/ }),
  ),
  sometimes(
    'number-long-prefix',
    'The prefix may have four characters.',
    'FLA-GET-018 also FLA-GET-017 FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,4}\d{1,4}$/ }),
  ),
  sometimes(
    'number-letters-only-prefix',
    'The prefix must be of letters.',
    'FLA-GET-020',
    cleaning({ grammar: /^[A-Z]{2,3}\d{1,4}$/ }),
  ),
  sometimes(
    'number-two-character-prefix',
    'The prefix must have two characters.',
    'FLA-GET-020',
    cleaning({ grammar: /^[A-Z0-9]{2}\d{1,4}$/ }),
  ),
  sometimes(
    'number-punctuation-removed',
    'All punctuation is removed.',
    'FLA-GET-019 also FLA-SUB-018',
    cleaning({ removes: /[^A-Z0-9]/g }),
  ),
  sometimes('number-repeated', 'Of a repeated flightNumber the first counts.', 'FLA-GET-010', {
    enforcesFlight: lenient(['flightNumber.scalar']),
  }),
  sometimes('date-repeated', 'Of a repeated departureDate the first counts.', 'FLA-GET-010', {
    enforcesFlight: lenient(['date.scalar']),
  }),
  sometimes('date-with-time', 'A date may carry a time or timezone.', 'FLA-GET-022 also FLA-SUB-019', {
    enforcesFlight: lenient(['date.format', 'date.calendar'], ({ value }) =>
      /^\d{4}-\d{2}-\d{2}[TZ+ ]/.test(String(value)),
    ),
  }),
  sometimes('date-short-forms', 'A date may have another form.', 'FLA-GET-021 also FLA-SUB-019', {
    enforcesFlight: lenient(
      ['date.format', 'date.calendar', 'date.past'],
      ({ value }) => !/^\d{4}-\d{2}-\d{2}/.test(String(value)) && String(value) !== '',
    ),
  }),
  sometimes('date-unreal', 'A date need not exist.', 'FLA-GET-023 also FLA-SUB-033', {
    enforcesFlight: lenient(['date.calendar']),
  }),
  always('date-past', 'A date may lie in the past.', 'FLA-GET-024 also FLA-GET-026 FLA-SUB-034', {
    enforcesFlight: lenient(['date.past']),
  }),
  sometimes('date-yesterday', 'Yesterday counts as today.', 'FLA-GET-024 also FLA-GET-026 FLA-SUB-034', {
    today: (now) => dateOf(now - DAY),
  }),
  sometimes('date-tomorrow', 'Today counts as past.', 'FLA-GET-025 also FLA-GET-026 FLA-SUB-035', {
    today: (now) => dateOf(now + DAY),
  }),
  sometimes('date-of-a-zone-east', 'Today is that of a timezone nine hours ahead.', 'FLA-GET-026', {
    today: (now) => dateOf(now + 9 * 3_600_000),
  }),
  sometimes('date-of-a-zone-west', 'Today is that of a timezone eight hours behind.', 'FLA-GET-026', {
    today: (now) => dateOf(now - 8 * 3_600_000),
  }),
  always('lookup-wrapped', 'The legs stand in a data member.', 'FLA-GET-002 also FLA-GET-005 FLA-GET-006', {
    lookupBody: (snapshots) => ({ success: true, data: snapshots }),
  }),
  sometimes('lookup-single-unwrapped', 'A single leg is not in an array.', 'FLA-GET-005 also FLA-GET-002', {
    lookupBody: (snapshots) => (snapshots.length === 1 ? snapshots[0] : snapshots),
  }),
  sometimes(
    'lookup-shows-subscription',
    'Subscribed legs are flagged with their fid.',
    'FLA-GET-030 also FLA-GET-031',
    {
      lookupBody: (snapshots, legs, subscriptions) =>
        snapshots.map((snapshot, index) => {
          const found = subscriptions.find(
            ({ leg }) => leg.from === legs[index]?.from && leg.to === legs[index].to,
          );
          return found ? { ...snapshot, isSubscribed: true, fid: found.callback?.fid } : snapshot;
        }),
    },
  ),
  always('lookup-cacheable', 'A lookup may be cached.', 'FLA-GET-004', {
    lookupHeaders: { 'content-type': 'application/json', 'cache-control': 'max-age=60' },
  }),
  always('lookup-as-text', 'A lookup is sent as text.', 'FLA-GET-003', {
    lookupHeaders: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
  }),
  sometimes('lookup-journey-order', 'Legs come in the order of the journey.', 'FLA-GET-007', {
    legOrder: () => 0,
  }),
  sometimes(
    'lookup-departure-order',
    'Legs from one airport are not ordered by their arrival.',
    'FLA-GET-007',
    { legOrder: (one, other) => compare(airports(one).slice(0, 1), airports(other).slice(0, 1)) },
  ),
  sometimes('lookup-first-leg', 'Only the first leg is returned.', 'FLA-GET-006', {
    lookupLegs: (legs) => legs.slice(0, 1),
  }),
  sometimes('lookup-without-third-leg', 'Of more than two legs the last is lost.', 'FLA-GET-006', {
    lookupLegs: (legs) => legs.slice(0, 2),
  }),
  always('lookup-empty-array', 'An unknown flight is an empty array.', 'FLA-GET-027 FLA-GET-028', {
    emptyLookup: 'empty',
  }),
  always(
    'flight-not-found-own-code',
    'An unknown flight has another code.',
    'FLA-GET-027 also FLA-GET-028 FLA-SUB-023',
    { notFoundCode: () => ({ status: 404, code: 'NOT_FOUND' }) },
  ),
  sometimes('leg-not-found-own-code', 'An unknown leg of a known flight has another code.', 'FLA-SUB-022', {
    notFoundCode: (_operation, flightKnown) => ({
      status: 404,
      code: flightKnown ? 'NOT_FOUND' : 'FLIGHT_NOT_FOUND',
    }),
  }),
  sometimes(
    'upstream-unavailable-503',
    'An unreachable upstream is 503.',
    'FLA-GET-032 also SHR-ERR-018 SHR-ERR-019',
    {
      failureCode: (failure) =>
        failure === 'unavailable'
          ? { status: 503, code: 'PROVIDER_UNAVAILABLE' }
          : {
              status: 502,
              code: failure === 'invalid-data' ? 'INVALID_PROVIDER_DATA' : 'SUBSCRIPTION_FAILED',
            },
    },
  ),
  sometimes(
    'upstream-invalid-as-unavailable',
    'Invalid upstream data counts as an unreachable upstream.',
    'FLA-GET-033',
    {
      failureCode: (failure) => ({
        status: 502,
        code: failure === 'subscription' ? 'SUBSCRIPTION_FAILED' : 'PROVIDER_UNAVAILABLE',
      }),
    },
  ),
  sometimes(
    'upstream-subscription-as-unavailable',
    'An unconfirmed subscription counts as an unreachable upstream.',
    'FLA-SUB-025',
    {
      failureCode: (failure) => ({
        status: 502,
        code: failure === 'invalid-data' ? 'INVALID_PROVIDER_DATA' : 'PROVIDER_UNAVAILABLE',
      }),
    },
  ),
  sometimes(
    'lookup-cached',
    'A flight that was looked up once never changes.',
    'FLA-GET-035 also FLA-CB-009 FLA-SUB-040',
    { cachesUpstream: () => true },
  ),
  sometimes(
    'flights-need-entitlement',
    'Flight alerts ask for a web check-in entitlement.',
    'WCI-QTA-014 also SHR-ERR-018',
    { flightsNeedEntitlement: true },
  ),
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
    'FLA-SNP-010 also FLA-SNP-009 FLA-CB-024',
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
  always('airline-text', 'airline is a string.', 'FLA-SNP-011 also FLA-SNP-030', {
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

  sometimes(
    'number-missing-404',
    'A lookup without flightNumber finds nothing.',
    'FLA-GET-008 also FLA-GET-010',
    {
      enforcesFlight: lenient(
        ['flightNumber.required', 'flightNumber.grammar'],
        ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
      ),
    },
  ),
  sometimes('date-missing-404', 'A lookup without departureDate finds nothing.', 'FLA-GET-009', {
    enforcesFlight: lenient(
      ['date.required', 'date.format', 'date.calendar', 'date.past'],
      ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
    ),
  }),
  always('lookup-needs-airports', 'A lookup needs both airport codes.', 'FLA-GET-029 also FLA-GET-001', {
    lookupAirports: 'required',
  }),
  always(
    'flight-not-found-unknown-code',
    'An unknown flight has a code that is not listed.',
    'SHR-ERR-023 also FLA-GET-027 FLA-GET-028 FLA-SUB-023',
    { notFoundCode: () => ({ status: 404, code: 'UNKNOWN_FLIGHT' }) },
  ),
  sometimes(
    'upstream-own-code',
    'A failing upstream has a code that is not listed.',
    'SHR-ERR-025 also FLA-GET-032 FLA-GET-033 FLA-SUB-025',
    { failureCode: () => ({ status: 502, code: 'UPSTREAM_ERROR' }) },
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
    'FLA-SNP-013 also FLA-CB-008 FLA-SNP-030',
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
  sometimes('lookup-with-history', 'A lookup has a history, which is empty.', 'FLA-GET-030', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, history: [] }),
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
  sometimes('lookup-stopover-city-lost', 'The city of a stopover is not shown.', 'FLA-SNP-030', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, stopover: { ...part(snapshot, 'stopover'), city: null } }),
  }),
  sometimes('alternates-empty', 'alternateInfo is an empty array where none was received.', 'FLA-SNP-003', {
    absentAlternateInfo: 'empty',
  }),
  sometimes('date-leap-day', 'The 29th of February is no date.', 'FLA-GET-038', {
    enforcesFlight: (rule, place) => rule === 'date.leapDay' || lenient([])(rule, place),
  }),
  sometimes(
    'number-letter-suffix',
    'A letter after the digits is taken.',
    'FLA-GET-039 also FLA-SUB-018',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{1,4}[A-Z]?$/ }),
  ),
  sometimes('subscribe-invalid-data-500', 'Invalid data of upstream is a 500 on subscribe.', 'FLA-SUB-038', {
    failureCode: (failure, operation) =>
      failure === 'invalid-data' && operation === 'subscribe'
        ? { status: 500, code: 'INTERNAL_ERROR' }
        : documentedFlightAlertsPolicy.failureCode(failure, operation),
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
