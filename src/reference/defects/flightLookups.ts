import { documentedCleaning, type FlightNumberCleaning } from '../flightAlerts/flightNumber.ts';
import { airports, compare } from '../flightAlerts/policy.ts';
import type { Snapshot } from '../flightAlerts/snapshot.ts';
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
    cleaning({ upperCases: false }),
    ['FLA-GET-011'],
    ['FLA-GET-014'],
  ),
  sometimes(
    'number-hyphens-kept',
    'Hyphens are not removed.',
    cleaning({ removes: / /g }),
    ['FLA-GET-012'],
    ['FLA-GET-014'],
  ),
  sometimes(
    'number-one-space-removed',
    'Only the first space or hyphen is removed.',
    cleaning({ removes: /[ -]/ }),
    ['FLA-GET-012'],
    ['FLA-GET-014'],
  ),
  sometimes(
    'number-zeros-kept',
    'Leading zeros are not removed.',
    cleaning({ zeros: /^(?!)/ }),
    ['FLA-GET-013'],
    ['FLA-GET-014', 'FLA-GET-015'],
  ),
  sometimes(
    'number-one-zero-removed',
    'Only one leading zero is removed.',
    cleaning({ zeros: /^([A-Z]{2})0(?=\d)/ }),
    ['FLA-GET-013'],
    ['FLA-GET-014', 'FLA-GET-015'],
  ),
  sometimes(
    'number-zeros-counted',
    'Digits are counted before all zeros are removed.',
    cleaning({ zeros: /^([A-Z]{2})0{1,3}(?=\d)/ }),
    ['FLA-GET-015'],
    ['FLA-GET-014'],
  ),
  sometimes(
    'number-five-digits',
    'Flight numbers may have more digits.',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{1,6}$/ }),
    ['FLA-GET-017'],
    ['FLA-SUB-018'],
  ),
  sometimes(
    'number-without-digits',
    'Flight numbers may have no digits.',
    cleaning({ grammar: /^[A-Z0-9]{2,3}\d{0,4}$/ }),
    ['FLA-GET-016'],
    ['FLA-SUB-018', 'FLA-GET-018'],
  ),
  sometimes(
    'number-short-prefix',
    'The prefix may have one character.',
    cleaning({ grammar: /^[A-Z0-9]{1,3}\d{1,4}$/ }),
    ['FLA-GET-018'],
    ['FLA-SUB-018'],
  ),
  sometimes(
    'number-long-prefix',
    'The prefix may have four characters.',
    cleaning({ grammar: /^[A-Z0-9]{2,4}\d{1,4}$/ }),
    ['FLA-GET-018'],
    ['FLA-GET-017', 'FLA-SUB-018'],
  ),
  sometimes(
    'number-letters-only-prefix',
    'The prefix must be of letters.',
    cleaning({ grammar: /^[A-Z]{2,3}\d{1,4}$/ }),
    ['FLA-GET-020'],
  ),
  sometimes(
    'number-two-character-prefix',
    'The prefix must have two characters.',
    cleaning({ grammar: /^[A-Z0-9]{2}\d{1,4}$/ }),
    ['FLA-GET-020'],
  ),
  sometimes(
    'number-punctuation-removed',
    'All punctuation is removed.',
    cleaning({ removes: /[^A-Z0-9]/g }),
    ['FLA-GET-019'],
    ['FLA-SUB-018'],
  ),
  sometimes(
    'number-repeated',
    'Of a repeated flightNumber the first counts.',
    { enforcesFlight: lenient(['flightNumber.scalar']) },
    ['FLA-GET-010'],
  ),
  sometimes(
    'date-repeated',
    'Of a repeated departureDate the first counts.',
    { enforcesFlight: lenient(['date.scalar']) },
    ['FLA-GET-010'],
  ),
  sometimes(
    'date-with-time',
    'A date may carry a time or timezone.',
    {
      enforcesFlight: lenient(['date.format', 'date.calendar'], ({ value }) =>
        /^\d{4}-\d{2}-\d{2}[TZ+ ]/.test(String(value)),
      ),
    },
    ['FLA-GET-022'],
    ['FLA-SUB-019'],
  ),
  sometimes(
    'date-short-forms',
    'A date may have another form.',
    {
      enforcesFlight: lenient(
        ['date.format', 'date.calendar', 'date.past'],
        ({ value }) => !/^\d{4}-\d{2}-\d{2}/.test(String(value)) && String(value) !== '',
      ),
    },
    ['FLA-GET-021'],
    ['FLA-SUB-019'],
  ),
  sometimes(
    'date-unreal',
    'A date need not exist.',
    { enforcesFlight: lenient(['date.calendar']) },
    ['FLA-GET-023'],
    ['FLA-SUB-033'],
  ),
  always(
    'date-past',
    'A date may lie in the past.',
    { enforcesFlight: lenient(['date.past']) },
    ['FLA-GET-024'],
    ['FLA-GET-026', 'FLA-SUB-034'],
  ),
  sometimes(
    'date-yesterday',
    'Yesterday counts as today.',
    { today: (now) => dateOf(now - DAY) },
    ['FLA-GET-024'],
    ['FLA-GET-026', 'FLA-SUB-034'],
  ),
  sometimes(
    'date-tomorrow',
    'Today counts as past.',
    { today: (now) => dateOf(now + DAY) },
    ['FLA-GET-025'],
    ['FLA-GET-026', 'FLA-SUB-035'],
  ),
  sometimes(
    'date-of-a-zone-east',
    'Today is that of a timezone nine hours ahead.',
    { today: (now) => dateOf(now + 9 * 3_600_000) },
    ['FLA-GET-026'],
  ),
  sometimes(
    'date-of-a-zone-west',
    'Today is that of a timezone eight hours behind.',
    { today: (now) => dateOf(now - 8 * 3_600_000) },
    ['FLA-GET-026'],
  ),
  always(
    'lookup-wrapped',
    'The legs stand in a data member.',
    { lookupBody: (snapshots) => ({ success: true, data: snapshots }) },
    ['FLA-GET-002'],
    ['FLA-GET-005', 'FLA-GET-006'],
  ),
  sometimes(
    'lookup-single-unwrapped',
    'A single leg is not in an array.',
    { lookupBody: (snapshots) => (snapshots.length === 1 ? snapshots[0] : snapshots) },
    ['FLA-GET-005'],
    ['FLA-GET-002'],
  ),
  sometimes(
    'lookup-shows-subscription',
    'Subscribed legs are flagged with their fid.',
    {
      lookupBody: (snapshots, legs, subscriptions) =>
        snapshots.map((snapshot, index) => {
          const found = subscriptions.find(
            ({ leg }) => leg.from === legs[index]?.from && leg.to === legs[index].to,
          );
          return found ? { ...snapshot, isSubscribed: true, fid: found.callback?.fid } : snapshot;
        }),
    },
    ['FLA-GET-030'],
    ['FLA-GET-031'],
  ),
  always(
    'lookup-cacheable',
    'A lookup may be cached.',
    { lookupHeaders: { 'content-type': 'application/json', 'cache-control': 'max-age=60' } },
    ['FLA-GET-004'],
  ),
  always(
    'lookup-as-text',
    'A lookup is sent as text.',
    { lookupHeaders: { 'content-type': 'text/plain', 'cache-control': 'no-store' } },
    ['FLA-GET-003'],
  ),
  sometimes('lookup-journey-order', 'Legs come in the order of the journey.', { legOrder: () => 0 }, [
    'FLA-GET-007',
  ]),
  sometimes(
    'lookup-departure-order',
    'Legs from one airport are not ordered by their arrival.',
    { legOrder: (one, other) => compare(airports(one).slice(0, 1), airports(other).slice(0, 1)) },
    ['FLA-GET-007'],
  ),
  sometimes(
    'lookup-first-leg',
    'Only the first leg is returned.',
    { lookupLegs: (legs) => legs.slice(0, 1) },
    ['FLA-GET-006'],
  ),
  sometimes(
    'lookup-without-third-leg',
    'Of more than two legs the last is lost.',
    { lookupLegs: (legs) => legs.slice(0, 2) },
    ['FLA-GET-006'],
  ),
  always('lookup-empty-array', 'An unknown flight is an empty array.', { emptyLookup: 'empty' }, [
    'FLA-GET-027',
    'FLA-GET-028',
  ]),
  always(
    'flight-not-found-own-code',
    'An unknown flight has another code.',
    { notFoundCode: () => ({ status: 404, code: 'NOT_FOUND' }) },
    ['FLA-GET-027'],
    ['FLA-GET-028', 'FLA-SUB-023'],
  ),
  sometimes(
    'leg-not-found-own-code',
    'An unknown leg of a known flight has another code.',
    {
      notFoundCode: (_operation, flightKnown) => ({
        status: 404,
        code: flightKnown ? 'NOT_FOUND' : 'FLIGHT_NOT_FOUND',
      }),
    },
    ['FLA-SUB-022'],
  ),
  sometimes(
    'upstream-unavailable-503',
    'An unreachable upstream is 503.',
    {
      failureCode: (failure) =>
        failure === 'unavailable'
          ? { status: 503, code: 'PROVIDER_UNAVAILABLE' }
          : {
              status: 502,
              code: failure === 'invalid-data' ? 'INVALID_PROVIDER_DATA' : 'SUBSCRIPTION_FAILED',
            },
    },
    ['FLA-GET-032'],
    ['SHR-ERR-018', 'SHR-ERR-019'],
  ),
  sometimes(
    'upstream-invalid-as-unavailable',
    'Invalid upstream data counts as an unreachable upstream.',
    {
      failureCode: (failure) => ({
        status: 502,
        code: failure === 'subscription' ? 'SUBSCRIPTION_FAILED' : 'PROVIDER_UNAVAILABLE',
      }),
    },
    ['FLA-GET-033'],
  ),
  sometimes(
    'upstream-subscription-as-unavailable',
    'An unconfirmed subscription counts as an unreachable upstream.',
    {
      failureCode: (failure) => ({
        status: 502,
        code: failure === 'invalid-data' ? 'INVALID_PROVIDER_DATA' : 'PROVIDER_UNAVAILABLE',
      }),
    },
    ['FLA-SUB-025'],
  ),
  sometimes(
    'lookup-cached',
    'A flight that was looked up once never changes.',
    { cachesUpstream: true },
    ['FLA-GET-035'],
    ['FLA-CB-009'],
  ),
  sometimes(
    'flights-need-entitlement',
    'Flight alerts ask for a web check-in entitlement.',
    { flightsNeedEntitlement: true },
    ['WCI-QTA-014'],
    ['SHR-ERR-018'],
  ),
  sometimes(
    'stopover-null',
    'stopover is null for a non-stop leg.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        stopover: part(snapshot, 'stopover').airportIata === null ? null : snapshot.stopover,
      }),
    },
    ['FLA-SNP-002'],
  ),
  always(
    'codeshare-boolean',
    'isCodeshare is a boolean.',
    { shapeSnapshot: (snapshot) => ({ ...snapshot, isCodeshare: snapshot.isCodeshare === 1 }) },
    ['FLA-SNP-006'],
  ),
  sometimes(
    'codeshare-text',
    'isCodeshare of a codeshare is a string.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        isCodeshare: snapshot.isCodeshare === 1 ? '1' : snapshot.isCodeshare,
      }),
    },
    ['FLA-SNP-006'],
  ),
  sometimes(
    'status-rewritten',
    'schedule, delay and cancel are rewritten.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status:
          { schedule: 'scheduled', delay: 'delayed', cancel: 'cancelled' }[String(snapshot.status)] ??
          snapshot.status,
      }),
    },
    ['FLA-SNP-009'],
    ['FLA-CB-024'],
  ),
  sometimes(
    'status-trimmed',
    'Statuses are trimmed.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status: typeof snapshot.status === 'string' ? snapshot.status.trim() : null,
      }),
    },
    ['FLA-SNP-010'],
  ),
  sometimes(
    'status-unknown-dropped',
    'An unfamiliar status becomes null.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status: !knownStatuses.includes(String(snapshot.status)) ? null : snapshot.status,
      }),
    },
    ['FLA-SNP-010'],
  ),
  sometimes(
    'status-underscored',
    'Spaces in statuses become underscores.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        status: typeof snapshot.status === 'string' ? snapshot.status.replaceAll(' ', '_') : null,
      }),
    },
    ['FLA-SNP-010'],
    ['FLA-SNP-009', 'FLA-CB-024'],
  ),
  always(
    'airline-code-cut',
    'The airline code takes a digit along.',
    { airlineCode: (flightNumber) => flightNumber.slice(0, 3) },
    ['FLA-SNP-012'],
  ),
  always(
    'airline-text',
    'airline is a string.',
    { shapeSnapshot: (snapshot) => ({ ...snapshot, airline: part(snapshot, 'airline').code }) },
    ['FLA-SNP-011'],
  ),
  sometimes(
    'flight-number-as-number',
    'The flight number of a leg is a number.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        flightNumber: Number(String(snapshot.flightNumber).replace(/\D/g, '')),
      }),
    },
    ['FLA-SNP-001'],
  ),
  always(
    'times-iso',
    'Departure times have a T.',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'departure', { scheduledTime: iso(part(snapshot, 'departure').scheduledTime) }),
    },
    ['FLA-SNP-016'],
    ['FLA-SNP-017', 'FLA-CB-022'],
  ),
  sometimes(
    'arrival-converted',
    'Arrival times are converted to the arrival airport.',
    { shapeSnapshot: (snapshot) => withEnd(snapshot, 'arrival', { scheduledTime: shifted(snapshot) }) },
    ['FLA-SNP-017'],
  ),
  sometimes(
    'estimate-filled-in',
    'A missing departure estimate is filled with the schedule.',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'departure', {
          estimatedTime:
            part(snapshot, 'departure').estimatedTime ?? part(snapshot, 'departure').scheduledTime,
        }),
    },
    ['FLA-SNP-019'],
  ),
  sometimes(
    'boarding-status-upper-case',
    'Boarding statuses are shown in upper case.',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'departure', {
          boardingStatus: upper(part(snapshot, 'departure').boardingStatus),
        }),
    },
    ['FLA-SNP-020'],
  ),
  sometimes(
    'blanks-break',
    'A blank gate breaks a lookup.',
    {
      shapeSnapshot: (snapshot) => {
        if (part(snapshot, 'departure').gate === '') throw new TypeError('gate');
        return snapshot;
      },
    },
    ['FLA-SNP-021'],
  ),
  sometimes(
    'alternates-cut',
    'Alternate routes show their status only.',
    {
      shapeSnapshot: (snapshot) =>
        Array.isArray(snapshot.alternateInfo)
          ? {
              ...snapshot,
              alternateInfo: snapshot.alternateInfo.map((one: Part) => ({ status: one.status })),
            }
          : snapshot,
    },
    ['FLA-SNP-004'],
    ['FLA-CB-013'],
  ),

  sometimes(
    'number-missing-404',
    'A lookup without flightNumber finds nothing.',
    {
      enforcesFlight: lenient(
        ['flightNumber.required', 'flightNumber.grammar'],
        ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
      ),
    },
    ['FLA-GET-008'],
  ),
  sometimes(
    'date-missing-404',
    'A lookup without departureDate finds nothing.',
    {
      enforcesFlight: lenient(
        ['date.required', 'date.format', 'date.calendar', 'date.past'],
        ({ value, operation }) => operation === 'lookup' && (value === null || value === ''),
      ),
    },
    ['FLA-GET-009'],
  ),
  always(
    'lookup-needs-airports',
    'A lookup needs both airport codes.',
    { lookupAirports: 'required' },
    ['FLA-GET-029'],
    ['FLA-GET-001'],
  ),
  always(
    'flight-not-found-unknown-code',
    'An unknown flight has a code that is not listed.',
    { notFoundCode: () => ({ status: 404, code: 'UNKNOWN_FLIGHT' }) },
    ['SHR-ERR-023'],
    ['FLA-GET-027', 'FLA-GET-028', 'FLA-SUB-023'],
  ),
  sometimes(
    'upstream-own-code',
    'A failing upstream has a code that is not listed.',
    { failureCode: () => ({ status: 502, code: 'UPSTREAM_ERROR' }) },
    ['SHR-ERR-025'],
    ['FLA-GET-032', 'FLA-GET-033', 'FLA-SUB-025'],
  ),
  sometimes(
    'codeshare-number-as-number',
    'codeshareFlightNumber is a number.',
    {
      shapeSnapshot: (snapshot) => ({
        ...snapshot,
        codeshareFlightNumber:
          typeof snapshot.codeshareFlightNumber === 'string' && snapshot.codeshareFlightNumber !== ''
            ? Number(snapshot.codeshareFlightNumber.replace(/\D/g, ''))
            : snapshot.codeshareFlightNumber,
      }),
    },
    ['FLA-SNP-007'],
  ),
  always(
    'status-as-object',
    'The status of a leg is an object.',
    { shapeSnapshot: (snapshot) => ({ ...snapshot, status: { name: snapshot.status } }) },
    ['FLA-SNP-008'],
    ['FLA-SNP-009', 'FLA-SNP-010', 'FLA-CB-008', 'FLA-CB-024', 'FLA-CB-007'],
  ),
  always(
    'terminal-as-number',
    'The departure terminal is a number.',
    { shapeSnapshot: (snapshot) => withEnd(snapshot, 'departure', { terminal: 1 }) },
    ['FLA-SNP-013'],
    ['FLA-CB-008'],
  ),
  always(
    'baggage-belts-as-list',
    'The baggage belt is a list.',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'arrival', { baggageBelt: [part(snapshot, 'arrival').baggageBelt] }),
    },
    ['FLA-SNP-014'],
    ['FLA-CB-007'],
  ),
  always(
    'offset-as-object',
    'The offset is an object.',
    {
      shapeSnapshot: (snapshot) =>
        withEnd(snapshot, 'arrival', {
          utcOffsetSeconds: { seconds: part(snapshot, 'arrival').utcOffsetSeconds },
        }),
    },
    ['FLA-SNP-015'],
    ['FLA-CB-007'],
  ),
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
