import {
  type Exchange,
  type LegChanges,
  type Route,
  errorCode,
  fixed,
  generate,
  legAt,
  property,
  responseOf,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { legOn, lookUp, put, subscribeTo } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';
import { changeLeg } from '../support/notices.ts';
import { alternateInfoForm } from '../support/openFlightPoints.ts';
import { route, showLegs } from '../support/shownFlights.ts';

/** A leg that is blank where upstream may have nothing. */
const blank: LegChanges = {
  departure: { terminal: '', gate: '', boardingStatus: '' },
  arrival: { terminal: '', baggageBelt: '' },
};

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
      await showLegs(
        t,
        generate.unfamiliarStatuses.map((status) => ({ status })),
      );
      for (const half of [generate.knownStatuses.slice(0, 10), generate.knownStatuses.slice(10)])
        await showLegs(
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
      const show = async (changes: LegChanges) => {
        await showLegs(t, [changes], departureDate);
      };
      await show(blank);
      await t.forAll('a leg with unusual values', generate.unusualLeg(departureDate), show);
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
      await showLegs(
        t,
        [
          { departure: none, arrival: none },
          { status: 'departure', departure: gone(departureDate), arrival: none },
        ],
        departureDate,
      );
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
      const seen = await showLegs(t, [{}, { status: 'diversion', alternateInfo }], departureDate);
      const form = alternateInfoForm(legAt(seen, route) ?? {});
      if (form !== null) t.observe('FLA-OPN-024', form, seen);
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
      const changes = {
        status: 'diversion',
        isCodeshare: 1,
        departure: { gate: former },
        stopover: { airportIata: 'BKK', city: 'Bangkok' },
        alternateInfo: generate.alternateRoutes(departureDate),
      };
      const plain: Route = ['DOH', 'BKK'];
      const flight = await put(t, [{ route, changes }, { route: plain }], { departureDate });
      await subscribeTo(t, legOn(flight, plain));
      const leg = legOn(flight, route);
      await subscribeTo(t, leg);
      await changeLeg(t, leg, { departure: { gate: latest } });
      const isOther = (seen: Exchange) => valueAt(legAt(seen, route) ?? {}, 'departure.gate') !== former;
      await new Patience(t).askedUntil(() => subscribeTo(t, leg), isOther);
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
