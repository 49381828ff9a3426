import { documentedFlightAlertsPolicy } from '../flightAlerts/documented.ts';
import { type UpstreamLeg, airports, compare } from '../flightAlerts/subscriptions.ts';
import { isPart } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in what a lookup finds, and in what upstream answers. */
export const flightLookupDefects: readonly Defect[] = [
  always('lookup-wrapped', 'The legs stand in a data member.', 'FLA-GET-002 FLA-GET-005', {
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
  sometimes('lookup-time-order', 'Legs come in the order of their departure times.', 'FLA-GET-007', {
    legOrder: (one, other) =>
      compare([departsAt(one), ...airports(one)], [departsAt(other), ...airports(other)]),
  }),
  sometimes('lookup-two-in-time-order', 'Two legs come in the order of their times.', 'FLA-GET-007', {
    lookupBody: (snapshots) => (snapshots.length === 2 ? snapshots.toSorted(byDeparture) : snapshots),
  }),
  sometimes('lookup-late-hidden', 'A leg that is late is not shown.', 'FLA-GET-006', {
    lookupLegs: (legs) => legs.filter(({ status }) => status !== 'delay'),
  }),
  sometimes(
    'lookup-departure-order',
    'Legs from one airport are not ordered by their arrival.',
    'FLA-GET-007',
    { legOrder: (one, other) => compare(airports(one).slice(0, 1), airports(other).slice(0, 1)) },
  ),
  sometimes('lookup-cancelled-hidden', 'A leg that is cancelled is not shown.', 'FLA-GET-040', {
    lookupLegs: (legs) => legs.filter(({ status }) => status !== 'cancel'),
  }),
  sometimes('lookup-first-leg', 'Only the first leg is returned.', 'FLA-GET-006', {
    lookupLegs: (legs) => legs.slice(0, 1),
  }),
  sometimes('lookup-without-third-leg', 'Of more than two legs the last is lost.', 'FLA-GET-006', {
    lookupLegs: (legs) => legs.slice(0, 2),
  }),
  sometimes(
    'lookup-one-leg-per-departure',
    'Of the legs from one airport only one is returned.',
    'FLA-GET-006',
    {
      lookupLegs: (legs) => firstOfEach(legs, 0),
    },
  ),
  sometimes('lookup-one-leg-per-arrival', 'Of the legs to one airport only one is returned.', 'FLA-GET-006', {
    lookupLegs: (legs) => firstOfEach(legs, 1),
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
    'FLA-GET-032 also FLA-SUB-027 SHR-ERR-018 SHR-ERR-019',
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
    'FLA-GET-033 also FLA-SUB-038',
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
    { upstreamKept: () => 'by-date' },
  ),
  sometimes(
    'lookup-cleared-kept',
    'A value that upstream clears is notified as null, and still shown.',
    'FLA-GET-035',
    { keptLeg: withFormer },
  ),
  sometimes('lookup-routes-appended', 'New alternate routes are added to the former ones.', 'FLA-GET-035', {
    keptLeg: withFormerRoutes,
  }),
  sometimes('lookup-number-begins', 'A number finds the flight whose number begins with it.', 'FLA-GET-027', {
    findsLongerNumbers: true,
  }),
  sometimes(
    'lookup-cached-for-two-minutes',
    'A flight that was looked up is shown as it was for two minutes.',
    'FLA-GET-035',
    { upstreamKept: ({ operation }) => (operation === 'lookup' ? ['by-date', 120_000] : 'never') },
  ),
  sometimes(
    'lookup-unknown-for-two-minutes',
    'A flight that was unknown stays unknown for two minutes.',
    'FLA-GET-035',
    { upstreamKept: ({ operation }) => (operation === 'lookup' ? ['unknown', 120_000] : 'never') },
  ),
  sometimes('lookup-unknown-kept', 'A flight that was unknown once stays unknown.', 'FLA-GET-035', {
    upstreamKept: ({ operation }) => (operation === 'lookup' ? 'unknown' : 'never'),
  }),
  sometimes(
    'lookup-cached-by-number',
    'A flight that was looked up once has the same legs on all dates.',
    'FLA-GET-006 FLA-GET-028 also FLA-GET-035',
    { upstreamKept: ({ operation }) => (operation === 'lookup' ? 'by-number' : 'never') },
  ),
  sometimes(
    'flights-need-entitlement',
    'Flight alerts ask for a web check-in entitlement.',
    'WCI-QTA-014 also SHR-ERR-018 SHR-ERR-019',
    { refusesFlights: ({ status }) => status !== 'active' },
  ),
  always(
    'lookup-needs-airports',
    'A lookup needs both airport codes.',
    'FLA-GET-029 also FLA-GET-001 FLA-GET-025',
    {
      lookupAirports: 'required',
    },
  ),
  always(
    'flight-not-found-unknown-code',
    'An unknown flight has a code that is not listed.',
    'SHR-ERR-023 also FLA-GET-027 FLA-GET-028 FLA-SUB-023',
    { notFoundCode: () => ({ status: 404, code: 'UNKNOWN_FLIGHT' }) },
  ),
  sometimes(
    'upstream-own-code',
    'A failing upstream has a code that is not listed.',
    'SHR-ERR-025 also FLA-GET-032 FLA-GET-033 FLA-SUB-025 FLA-SUB-027 FLA-SUB-038',
    { failureCode: () => ({ status: 502, code: 'UPSTREAM_ERROR' }) },
  ),
  sometimes('lookup-with-history', 'A lookup has a history, which is empty.', 'FLA-GET-030', {
    shapeSnapshot: (snapshot) => ({ ...snapshot, history: [] }),
  }),
  sometimes('lookup-tracks', 'A lookup fails where only the tracking does.', 'FLA-GET-080', {
    lookupTracks: true,
  }),
  sometimes('subscribe-invalid-data-500', 'Invalid data of upstream is a 500 on subscribe.', 'FLA-SUB-038', {
    failureCode: (failure, operation) =>
      failure === 'invalid-data' && operation === 'subscribe'
        ? { status: 500, code: 'INTERNAL_ERROR' }
        : documentedFlightAlertsPolicy.failureCode(failure, operation),
  }),
];

/** The first of the legs that share their departure (0) or their arrival (1). */
function firstOfEach(legs: readonly UpstreamLeg[], end: 0 | 1): readonly UpstreamLeg[] {
  const codeOf = (leg: UpstreamLeg) => airports(leg)[end];
  return legs.filter((leg, at) => legs.findIndex((one) => codeOf(one) === codeOf(leg)) === at);
}

function byDeparture(one: UpstreamLeg, other: UpstreamLeg): number {
  return compare([departsAt(one)], [departsAt(other)]);
}

function departsAt({ departure }: UpstreamLeg): string {
  const time = (departure as { readonly scheduledTime?: unknown } | undefined)?.scheduledTime;
  return typeof time === 'string' ? time : '';
}

/** A leg after a change, with its former values where the change cleared them. */
function withFormer(after: UpstreamLeg, before: UpstreamLeg): UpstreamLeg {
  const kept = Object.entries(after).map(([name, value]) => {
    const former = before[name];
    if (value === null) return [name, former ?? null];
    return [name, isPart(value) && isPart(former) ? withFormer(value, former) : value];
  });
  return Object.fromEntries(kept) as UpstreamLeg;
}

function withFormerRoutes(after: UpstreamLeg, before: UpstreamLeg): UpstreamLeg {
  const [routes, former] = [after.alternateInfo, before.alternateInfo];
  const isNew = routes !== former && Array.isArray(routes) && Array.isArray(former);
  return isNew ? { ...after, alternateInfo: [...(former as unknown[]), ...(routes as unknown[])] } : after;
}
