import {
  type AnswerObject,
  type Exchange,
  type JsonObject,
  type Judgement,
  type LegChanges,
  type Route,
  all,
  errorCode,
  fixed,
  generate,
  holds,
  keepsValues,
  legAt,
  keepsAirlineName,
  losesNothing,
  mayBeUnavailable,
  omitsAlternates,
  oracles,
  passedOn,
  passive,
  property,
  responseOf,
  routesOf,
  suite,
  unbroken,
  utcDate,
  valueAt,
  valuedPaths,
  withoutAlternates,
  withoutValue,
  differs,
  is,
} from '../checks.ts';
import { type LegToPut, legOn, lookUp, put, rendered, subscribeTo } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';
import { alternateInfoForm } from '../support/openFlightPoints.ts';
import { judgeLegs, route, seenOnly, showChanged, times } from '../support/shownFlights.ts';

/** A leg that is blank where upstream may have nothing. */
const blank: LegChanges = {
  departure: { terminal: '', gate: '', boardingStatus: '' },
  arrival: { terminal: '', baggageBelt: '' },
};

function isKnownStatus({ status }: JsonObject): boolean {
  return typeof status === 'string' && generate.knownStatuses.includes(status);
}

function showsAlternates(leg: AnswerObject | null): Judgement {
  const some = Array.isArray(leg?.alternateInfo) && leg.alternateInfo.length > 0;
  return some
    ? holds
    : differs('lost', 'alternateInfo', is.whose('the leg upstream'), is.value(leg?.alternateInfo));
}

export default suite('Leg snapshot', [
  passive('fla', oracles.snapshot),

  fixed({
    id: 'fla.snapshot.known-values',
    title: 'every documented status and boarding status, and any other status, passes through as it is',
    verifies: [
      'FLA-GET-001',
      'FLA-GET-006',
      'FLA-GET-040',
      'FLA-SNP-009',
      'FLA-SNP-010',
      'FLA-SNP-020',
      'FLA-SNP-030',
      'FLA-SNP-033',
    ],
    needs: ['state:flights.put'],
    run: async (t) => {
      const other = await showChanged(
        t,
        generate.unfamiliarStatuses.map((status) => ({ status })),
      );
      judgeLegs(t, other);
      const unchanged = seenOnly(other).map(({ leg, given }) => passedOn(leg, given, ['status']));
      t.judge(other.seen, { 'FLA-SNP-010': all(...unchanged) });
      for (const half of [generate.knownStatuses.slice(0, 10), generate.knownStatuses.slice(10)]) {
        const made = await showChanged(
          t,
          half.map((status, index) => ({
            status,
            departure: {
              boardingStatus:
                generate.knownBoardingStatuses[index % generate.knownBoardingStatuses.length] ?? null,
              ...(index === 2 ? { utcOffsetSeconds: 0 } : {}),
            },
            // Both non-blank values, and a stop that not every leg has.
            isCodeshare: index % 2,
            // Greenwich has an offset, which is zero.
            ...(index === 1 ? { arrival: { utcOffsetSeconds: 0 } } : {}),
            ...(index % 3 === 0 ? { stopover: { airportIata: 'BKK', city: 'Bangkok' } } : {}),
          })),
        );
        judgeLegs(t, made);
        const [seen, shown] = [made.seen, seenOnly(made)];
        t.judge(seen, {
          'FLA-SNP-009': all(...shown.map(({ leg, given }) => passedOn(leg, given, ['status']))),
          'FLA-SNP-020': all(
            ...shown.map(({ leg, given }) => passedOn(leg, given, ['departure.boardingStatus'])),
          ),
          'FLA-SNP-030': all(...shown.map(({ leg, given }) => losesNothing(leg, given))),
          'FLA-SNP-033': all(...shown.map(({ leg, given }) => keepsAirlineName(leg, given))),
        });
      }
    },
  }),

  property({
    id: 'fla.snapshot.passed-on',
    title: 'unusual, blank and zero values of upstream are passed on, and times are never converted',
    verifies: ['FLA-SNP-009', 'FLA-SNP-010', 'FLA-SNP-017', 'FLA-SNP-020', 'FLA-SNP-021'],
    needs: ['state:flights.put'],
    maxCases: 60,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const judgeLeg = async (changes: LegChanges) => {
        const { seen, shown } = await showChanged(t, [changes], departureDate, lookUp);
        const [{ leg, given } = { leg: null, given: {} as JsonObject }] = shown;
        // Whether a leg of this status is available is FLA-GET-040.
        const mayBeHidden = mayBeUnavailable(given.status) && leg === null && isNotFoundOrEmpty(seen);
        if (mayBeHidden) return;
        t.judge(seen, { 'FLA-SNP-021': unbroken(seen, route) });
        const lenient = { nothingMayDiffer: true };
        t.judge(seen, {
          [isKnownStatus(given) ? 'FLA-SNP-009' : 'FLA-SNP-010']: passedOn(leg, given, ['status'], lenient),
          'FLA-SNP-017': passedOn(leg, given, valuedPaths(given, times)),
          'FLA-SNP-020': boardingPassedOn(leg, given),
        });
      };
      await judgeLeg(blank);
      await t.forAll('a leg with unusual values', generate.unusualLeg(departureDate), judgeLeg);
    },
  }),

  fixed({
    id: 'fla.snapshot.no-prediction',
    title: 'an estimated time that upstream does not give is not made up',
    verifies: ['FLA-GET-001', 'FLA-SNP-019', 'FLA-SNP-028'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const none = { estimatedTime: null, actualTime: null };
      const gone = (date: string) => ({ estimatedTime: null, actualTime: `${date} 09:40:00` });
      const departureDate = utcDate(t.now(), 40);
      const { seen, shown } = await showChanged(
        t,
        [
          { departure: none, arrival: none },
          { status: 'departure', departure: gone(departureDate), arrival: none },
        ],
        departureDate,
      );
      t.judge(seen, {
        'FLA-SNP-019': all(...shown.map(({ leg }) => withoutValue(leg, ['departure.estimatedTime']))),
        'FLA-SNP-028': all(...shown.map(({ leg }) => withoutValue(leg, ['arrival.estimatedTime']))),
      });
    },
  }),

  fixed({
    id: 'fla.snapshot.alternates',
    title: 'alternate routes are shown as upstream has them, and left out where there are none',
    verifies: [
      'FLA-GET-001',
      'FLA-SNP-003',
      'FLA-SNP-004',
      'FLA-SNP-005',
      'FLA-SNP-017',
      'FLA-SNP-031',
      'FLA-OPN-024',
    ],
    needs: ['state:flights.put'],
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const alternateInfo = generate.alternateRoutes(departureDate);
      const { seen, shown } = await showChanged(
        t,
        [{}, { status: 'diversion', alternateInfo }],
        departureDate,
      );
      const [without, having] = shown;
      const form = without?.leg ? alternateInfoForm(without.leg) : null;
      if (form !== null) t.observe('FLA-OPN-024', form, seen);
      const leg = having?.leg ?? null;
      const given = having?.given ?? {};
      const ends = ['alternateInfo.0.departure', 'alternateInfo.0.arrival'];
      const paths = (...names: readonly string[]) =>
        ends.flatMap((end) => names.map((name) => `${end}.${name}`));
      const members = ['alternateInfo.0.departure.airport', 'alternateInfo.0.arrival.airport'];
      t.judge(seen, {
        'FLA-SNP-003': withoutAlternates(without?.leg ?? null),
        'FLA-SNP-004': passedOn(leg, given, ['alternateInfo.0.status', 'alternateInfo.1.status', ...members]),
      });
      t.judge(seen, {
        'FLA-SNP-005': all(passedOn(leg, given, paths('airport')), keepsValues(leg, given, paths('city'))),
        'FLA-SNP-017': passedOn(leg, given, paths('scheduledTime', 'actualTime')),
      });
      t.judge(seen, { 'FLA-SNP-031': omitsAlternates(without?.leg ?? null) });
    },
  }),

  fixed({
    id: 'fla.snapshot.subscribed',
    title: 'a subscribe shows every value that upstream has for the leg, and the latest ones',
    verifies: ['FLA-SNP-003', 'FLA-SNP-030', 'FLA-SUB-040'],
    needs: ['state:flights.put', 'state:flights.change', 'writes', 'subscriptions'],
    run: async (t) => {
      const [former, latest] = ['GCK-FORMER-31', 'GCK-LATEST-32'];
      const departureDate = utcDate(t.now(), 40);
      const put1: LegToPut = {
        route,
        changes: {
          status: 'diversion',
          isCodeshare: 1,
          departure: { gate: former },
          stopover: { airportIata: 'BKK', city: 'Bangkok' },
          alternateInfo: generate.alternateRoutes(departureDate),
        },
      };
      const plain: Route = ['DOH', 'BKK'];
      const flight = await put(t, [put1, { route: plain }], { departureDate });
      const without = await subscribeTo(t, legOn(flight, plain));
      t.judge(without, { 'FLA-SNP-003': withoutAlternates(legAt(without, plain)) });
      const ask = () => subscribeTo(t, legOn(flight, route));
      const first = await ask();
      const leg = legAt(first, route);
      t.assume(leg !== null, `${first.id}: it does not show the leg`);
      t.judge(first, {
        'FLA-SNP-030': all(losesNothing(leg, rendered(flight, put1)), showsAlternates(leg)),
      });
      const ends = { departureAirportIata: route[0], arrivalAirportIata: route[1] };
      await t.state.set('flights.change', { ...flight, ...ends, changes: { departure: { gate: latest } } });
      const gateOf = (seen: Exchange) => valueAt(legAt(seen, route) ?? {}, 'departure.gate');
      const again = await new Patience(t).askedUntil(ask, (seen) => gateOf(seen) !== former);
      t.judge([first, again], {
        'FLA-SUB-040':
          gateOf(again) === former
            ? differs('stale', 'departure.gate', latest, is.value(former, 'as before'))
            : holds,
      });
    },
  }),

  fixed({
    id: 'fla.snapshot.unfinished',
    title: 'a leg of which upstream knows the airports only is shown with nulls, or is invalid data',
    verifies: ['FLA-OPN-025'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const flight = { flightNumber: t.identities.flightNumber(), departureDate: utcDate(t.now(), 40) };
      const [departure, arrival] = route.map((airportIata) => ({ airportIata }));
      await t.state.set('flights.put', {
        ...flight,
        legs: [{ departure: departure ?? {}, arrival: arrival ?? {} }],
      });
      const seen = await lookUp(t, flight);
      const status = responseOf(seen)?.status;
      if (status === 200 && legAt(seen, route) !== null) t.observe('FLA-OPN-025', 'nulls', seen);
      if (status === 502 && errorCode(seen) === 'INVALID_PROVIDER_DATA')
        t.observe('FLA-OPN-025', 'refused-502', seen);
    },
  }),
]);

/** `web check-in` may be shown if there is no more specific state (States and transitions). */
function boardingPassedOn(leg: Parameters<typeof passedOn>[0], given: JsonObject): Judgement {
  const path = 'departure.boardingStatus';
  const upstream = valueAt(given, path);
  const isBlank = upstream == null || (typeof upstream === 'string' && upstream.trim() === '');
  if (isBlank && leg && valueAt(leg, path) === 'web check-in') return holds;
  return passedOn(leg, given, [path], { nothingMayDiffer: true });
}

/** Whether a lookup answers that there is no leg to show. */
function isNotFoundOrEmpty(seen: Exchange): boolean {
  const status = responseOf(seen)?.status;
  return status === 404 || (status === 200 && routesOf(seen).length === 0);
}
