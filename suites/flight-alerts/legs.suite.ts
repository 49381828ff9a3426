import {
  type CheckContext,
  type Exchange,
  type Route,
  answered,
  fc,
  fixed,
  flightNotFound,
  legAt,
  legOrder,
  ok,
  oracles,
  passive,
  property,
  routesOf,
  shownLegs,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { secondsTo } from '../support/clocks.ts';
import { type Flight, legOn, lookUp, put, subscribeTo } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';
import { changeLeg } from '../support/notices.ts';
import { askUnknown } from '../support/unknownIds.ts';

// Departures and arrivals differ from leg to leg, so that each sort key has one order.
const departures = ['AMS', 'DOH', 'DXB', 'NRT', 'SIN'] as const;
const arrivals = ['BKK', 'CDG', 'HND', 'LHR', 'ZRH'] as const;
const routes: fc.Arbitrary<readonly Route[]> = fc
  .tuple(
    fc.shuffledSubarray([...departures], { minLength: 3 }),
    fc.shuffledSubarray([...arrivals], { minLength: 5 }),
  )
  .map(([from, to]) => from.map((departure, index): Route => [departure, to[index] ?? 'BKK']));

export default suite('Legs of a flight', [
  passive('fla', oracles.flightAnswers),
  passive('fla', oracles.knownFlights),
  passive('fla', oracles.callbackKeys),

  fixed({
    id: 'fla.legs.single',
    title: 'a flight of one leg is an array of one element',
    verifies: ['FLA-GET-001', 'FLA-GET-005'],
    needs: ['state:flights.put'],
    run: async (t) => {
      await lookUp(t, await put(t, [{ route: ['DOH', 'SIN'] }]));
    },
  }),

  fixed({
    id: 'fla.legs.shared-ends',
    title: 'legs that share their departure or their arrival are one element each',
    verifies: ['FLA-GET-001', 'FLA-GET-006'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const legs: readonly Route[] = [
        ['DOH', 'BKK'],
        ['DOH', 'SIN'],
        ['KWI', 'SIN'],
      ];
      await lookUp(
        t,
        await put(
          t,
          legs.map((route) => ({ route })),
        ),
      );
    },
  }),

  property({
    id: 'fla.legs.order',
    title: 'all legs of a flight are shown, in an order of their airport codes, whatever the journey is',
    verifies: ['FLA-GET-001', 'FLA-GET-006', 'FLA-OPN-005'],
    needs: ['state:flights.put'],
    maxCases: 30,
    run: async (t) => {
      await t.forAll('legs in the order of a journey', routes, async (legs) => {
        const flight = await put(
          t,
          // One after another, so that an order by time is different.
          legs.map((route, index) => ({ route, hour: 1 + 4 * index })),
        );
        const seen = await lookUp(t, flight);
        const variant = legOrder(seen);
        if (variant !== null) t.observe('FLA-OPN-005', variant, seen);
      });
    },
  }),

  fixed({
    id: 'fla.legs.other-date',
    title: 'a flight is unknown on a date on which it does not operate, and by a number that begins its own',
    verifies: ['FLA-GET-001', 'FLA-GET-027', 'FLA-GET-028', 'FLA-SUB-023'],
    needs: ['state:flights.put', 'writes', 'subscriptions'],
    run: async (t) => {
      const route: Route = ['DOH', 'SIN'];
      const gate = 'GCK-LONGER-31';
      const isAlien = (one: Exchange) =>
        shownLegs(one).every(({ leg }) => valueAt(leg, 'departure.gate') !== gate);
      const { x: looks, id: flight } = await askUnknown(
        async () => {
          const made = await put(t, [{ route, changes: { departure: { gate } } }]);
          // Results for one date must not be shown for another.
          await lookUp(t, made);
          return made;
        },
        async (made) => [await lookBeside(t, made, -1), await lookBeside(t, made, 1)],
        // Upstream may have a flight of this number of its own on those days.
        (all) => all.some(({ seen }) => routesOf(seen).length > 0 && isAlien(seen)),
      );
      for (const { other } of looks) await subscribeTo(t, legOn(other, route));
      // A number that begins another one is another number, which may have a flight of its own.
      await lookUp(t, { ...flight, flightNumber: flight.flightNumber.slice(0, -1) });
    },
  }),

  fixed({
    id: 'fla.legs.two-dates',
    title:
      'a flight of two legs shows those of the date that is asked for, in the order that all flights have',
    verifies: ['FLA-GET-001', 'FLA-GET-006'],
    needs: ['state:flights.put'],
    run: async (t) => {
      // Two legs each, so that a single one in another form is not mistaken for those of another date. The codes of one journey
      // ascend, those of the other descend.
      const routesOn: readonly (readonly Route[])[] = [
        [
          ['DOH', 'SIN'],
          ['SIN', 'SYD'],
        ],
        [
          ['KWI', 'DXB'],
          ['DXB', 'BKK'],
        ],
      ];
      const [these = [], those = []] = routesOn;
      const timed = (legs: readonly Route[]) => legs.map((route, index) => ({ route, hour: 1 + 5 * index }));
      const flight = await put(t, timed(these));
      await lookUp(t, flight);
      const { flightNumber } = flight;
      const departureDate = utcDate(Date.parse(flight.departureDate), 2);
      const later = await put(t, timed(those), { flightNumber, departureDate });
      await lookUp(t, later);
      await lookUp(t, flight);
    },
  }),

  fixed({
    id: 'fla.legs.latest',
    title: 'a lookup shows the latest values of upstream, and no earlier ones',
    verifies: ['FLA-GET-001', 'FLA-GET-030', 'FLA-GET-035', 'FLA-OPN-034'],
    needs: ['state:flights.put', 'state:flights.change'],
    run: async (t) => {
      const route: Route = ['DOH', 'SIN'];
      const [former, latest] = ['GCK-FORMER-17', 'GCK-LATEST-23'];
      const changes = {
        isCodeshare: 1,
        status: 'delay',
        departure: { gate: latest, terminal: '7', boardingStatus: 'last call' },
        arrival: { terminal: '9', baggageBelt: '31' },
        stopover: { airportIata: 'BKK', city: 'Bangkok' },
        alternateInfo: [{ status: 'diversion' }],
      };
      const before = {
        isCodeshare: 0,
        status: 'schedule',
        departure: { gate: former, terminal: '2', boardingStatus: 'check-in' },
        arrival: { terminal: '3', baggageBelt: '12' },
        stopover: { airportIata: 'KWI', city: 'Kuwait City' },
        alternateInfo: [{ status: 'return' }],
      };
      // A leg in front of it, since the first one may be the only one that is read anew.
      const flight = await put(t, [{ route: ['DOH', 'BKK'] }, { route, changes: before }]);
      await lookUp(t, flight);
      await changeLeg(t, legOn(flight, route), changes);
      const isLatest = (one: Exchange) => valueAt(legAt(one, route) ?? {}, 'departure.gate') === latest;
      const patience = new Patience(t);
      const seen = await patience.askedUntil(() => lookUp(t, flight), isLatest);
      if (isLatest(seen)) patience.observe('FLA-OPN-034', seen);
    },
  }),

  fixed({
    id: 'fla.legs.after-unknown',
    title: 'a flight that was unknown is found once upstream has it',
    verifies: ['FLA-GET-035', 'FLA-OPN-035'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const flight = { flightNumber: t.identities.flightNumber(), departureDate: utcDate(t.now(), 12) };
      const before = await lookUp(t, flight);
      t.assume(answered(before, flightNotFound).status === 'holds', `${before.id}: it is known before`);
      await put(t, [{ route: ['DOH', 'SIN'] }], flight);
      const isFound = (seen: Exchange) => answered(seen, ok).status === 'holds';
      const patience = new Patience(t);
      const seen = await patience.askedUntil(() => lookUp(t, flight), isFound);
      if (isFound(seen)) patience.observe('FLA-OPN-035', seen);
    },
  }),

  fixed({
    id: 'fla.legs.clock',
    title: 'today is judged in UTC at every hour',
    verifies: ['FLA-GET-026'],
    needs: ['state:clock.advance'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('dates')) t.skip('clock.advance of the state handler does not move dates');
      const flightNumber = t.identities.flightNumber();
      for (const [hour, minute] of [
        [13, 0],
        [23, 30],
        [0, 30],
      ] as const) {
        await t.state.set('clock.advance', { seconds: secondsTo(t, hour, minute) });
        for (const days of [0, -1]) await lookUp(t, { flightNumber, departureDate: utcDate(t.now(), days) });
      }
    },
  }),
]);

/** Looks the same flight number up some days before or after. */
async function lookBeside(t: CheckContext, flight: Flight, days: number) {
  const other = { ...flight, departureDate: utcDate(Date.parse(flight.departureDate), days) };
  return { other, seen: await lookUp(t, other) };
}
