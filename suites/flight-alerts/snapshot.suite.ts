import {
  type Exchange,
  type JsonObject,
  type Judgement,
  type LegChanges,
  type Route,
  all,
  answered,
  asGiven,
  describeResponse,
  differs,
  errorCode,
  exactLegs,
  fixed,
  generate,
  holds,
  is,
  legAt,
  mayBeUnavailable,
  memberOf,
  ok,
  property,
  responseOf,
  routesOf,
  suite,
  unclear,
  utcDate,
  valueAt,
} from '../checks.ts';
import { type LegToPut, legOn, lookUp, put, rendered, subscribeTo } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';
import { alternateInfoForm } from '../support/openFlightPoints.ts';
import { judgeLegs, route, seenOnly, showChanged } from '../support/shownFlights.ts';

/** A leg that is blank where upstream may have nothing. */
const blank: LegChanges = {
  departure: { terminal: '', gate: '', boardingStatus: '' },
  arrival: { terminal: '', baggageBelt: '' },
};

function isKnownStatus({ status }: JsonObject): boolean {
  return typeof status === 'string' && generate.knownStatuses.includes(status);
}

export default suite('Leg snapshot', [
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
      const unchanged = seenOnly(other).map(({ leg, given }) => asGiven(leg, given, 'status'));
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
          'FLA-SNP-009': all(...shown.map(({ leg, given }) => asGiven(leg, given, 'status'))),
          ...Object.fromEntries(
            ['FLA-SNP-020', 'FLA-SNP-030', 'FLA-SNP-033'].map((rule) => [
              rule,
              all(...shown.map(({ leg, given }) => asGiven(leg, given, rule))),
            ]),
          ),
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
        t.judge(seen, { 'FLA-SNP-021': unbroken(seen) });
        t.judge(seen, {
          [isKnownStatus(given) ? 'FLA-SNP-009' : 'FLA-SNP-010']: asGiven(leg, given, 'status'),
          'FLA-SNP-017': asGiven(leg, given, 'FLA-SNP-017'),
          'FLA-SNP-020': asGiven(leg, given, 'FLA-SNP-020'),
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
        'FLA-SNP-019': all(...shown.map(({ leg, given }) => asGiven(leg, given, 'FLA-SNP-019'))),
        'FLA-SNP-028': all(...shown.map(({ leg, given }) => asGiven(leg, given, 'FLA-SNP-028'))),
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
      const { leg = null, given = {} } = having ?? {};
      t.judge(seen, {
        'FLA-SNP-003': asGiven(without?.leg ?? null, without?.given ?? {}, 'FLA-SNP-003'),
        'FLA-SNP-004': asGiven(leg, given, 'FLA-SNP-004'),
        'FLA-SNP-005': asGiven(leg, given, 'FLA-SNP-005'),
        'FLA-SNP-017': asGiven(leg, given, 'FLA-SNP-017'),
      });
      t.judge(seen, { 'FLA-SNP-031': asGiven(without?.leg ?? null, without?.given ?? {}, 'FLA-SNP-031') });
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
      t.judge(without, {
        'FLA-SNP-003': asGiven(legAt(without, plain), rendered(flight, { route: plain }), 'FLA-SNP-003'),
      });
      const ask = () => subscribeTo(t, legOn(flight, route));
      const first = await ask();
      const leg = legAt(first, route);
      t.assume(leg !== null, `${first.id}: it does not show the leg`);
      t.judge(first, {
        'FLA-SNP-030': asGiven(leg, rendered(flight, put1), 'FLA-SNP-030'),
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

/** Whether a lookup answers that there is no leg to show. */
function isNotFoundOrEmpty(seen: Exchange): boolean {
  const status = responseOf(seen)?.status;
  return status === 404 || (status === 200 && routesOf(seen).length === 0);
}

/** Whether a leg whose schedule is whole is shown: other blank or zero values are not invalid data. */
function unbroken(exchange: Exchange): Judgement {
  const status = responseOf(exchange)?.status;
  if (status === 500 || (status === 502 && errorCode(exchange) === 'INVALID_PROVIDER_DATA'))
    return answered(exchange, ok);
  if (status === 200 && Array.isArray(memberOf(exchange))) return exactLegs(exchange, [route]);
  return unclear(`${exchange.id}: ${describeResponse(exchange)}, without legs in an array`);
}
