import {
  type CheckContext,
  answered,
  errorCode,
  exactLegs,
  fixed,
  generate,
  invalid,
  lookup,
  notApplicable,
  ok,
  otherKey,
  property,
  responseOf,
  routesOf,
  sameLegs,
  shownLegs,
  suite,
  utcDate,
} from '../checks.ts';
import { leapYearAfter, pastDate } from '../support/clocks.ts';
import { anyFlight, awayFromMidnight, lookAgainIfOther, lookUp, unknownFlight } from '../support/flights.ts';
import { alternateInfoForm } from '../support/openFlightPoints.ts';
import { askUnknown } from '../support/unknownIds.ts';

type Named =
  | NonNullable<Awaited<ReturnType<CheckContext['fixtures']['namedFlight']>>>
  | Awaited<ReturnType<CheckContext['fixtures']['knownLeg']>>;

export default suite('GET /extPartner/api/flight-alerts', [
  fixed({
    id: 'fla.lookup.known',
    title: 'a known flight is found by its number and date alone',
    verifies: ['FLA-GET-001', 'FLA-GET-029', 'FLA-SNP-027', 'FLA-OPN-024'],
    uses: ['known-flight'],
    tags: ['smoke'],
    run: async (t) => {
      const flight = (await t.fixtures.namedFlight()) ?? (await t.fixtures.knownLeg());
      const { flightNumber, departureDate } = flight;
      const seen = await t.send(lookup({ flightNumber, departureDate }));
      if (responseOf(seen)?.status === 400) await lookWithAirports(t, flight);
      t.assume(
        flight.source !== 'found' || responseOf(seen)?.status !== 404,
        `${seen.id}: ${flightNumber} was found before and is gone, as can happen with real flights`,
      );
      // That the config names it is on no wire, and one internal error may be an accident until it is repeated.
      t.judge(seen, { 'FLA-GET-001': answered(seen, ok) });
      for (const { leg } of shownLegs(seen)) {
        const form = alternateInfoForm(leg);
        if (form !== null) t.observe('FLA-OPN-024', form, seen);
      }
    },
  }),

  fixed({
    id: 'fla.lookup.named-legs',
    title: 'a flight shows the legs that it is known to have, one element for each',
    verifies: ['FLA-GET-006'],
    uses: ['known-flight'],
    run: async (t) => {
      const flight = await t.fixtures.namedFlight();
      if (flight === null || flight.routes.length === 0)
        return t.skip(
          'the config names no flight with its legs, and there is no state handler that makes one',
        );
      const { flightNumber, departureDate, routes, source } = flight;
      const seen = await t.send(lookup({ flightNumber, departureDate }));
      t.assume(responseOf(seen)?.status !== 400, `${seen.id}: a lookup of a known flight is refused`);
      // What the config says of a flight is on no wire.
      if (source === 'config') t.judge(seen, { 'FLA-GET-006': exactLegs(seen, routes) });
    },
  }),

  fixed({
    id: 'fla.lookup.unknown',
    title: 'a well-formed flight that does not exist is 404 FLIGHT_NOT_FOUND',
    verifies: ['FLA-GET-027', 'FLA-OPN-018'],
    tags: ['smoke'],
    run: async (t) => {
      const { x: sought, id: query } = await askUnknown(
        () => ({ flightNumber: unknownFlight(t), departureDate: utcDate(t.now(), 10) }),
        (flight) => lookUp(t, flight),
        (x) => routesOf(x).length > 0,
      );
      t.assume(routesOf(sought).length === 0, `${query.flightNumber} is flown`);
      if (responseOf(sought)?.status === 404)
        t.observe('FLA-OPN-018', errorCode(sought) === 'NOT_FOUND' ? 'met' : 'never-met', sought);
    },
  }),

  property({
    id: 'fla.lookup.grammar',
    title: 'every flight number of two or three letters and digits and one to four digits passes validation',
    verifies: ['FLA-GET-020'],
    minCases: 2,
    maxCases: 40,
    run: (t) =>
      t.forAll(
        'a flight number that the grammar allows',
        generate.validFlightNumber,
        async (flightNumber) => {
          await t.send(lookup({ flightNumber, departureDate: utcDate(t.now(), 3) }));
        },
      ),
  }),

  fixed({
    id: 'fla.lookup.leap-day',
    title: 'the 29th of February of a leap year is a date as the days before and after it',
    verifies: ['FLA-GET-038'],
    run: async (t) => {
      const year = leapYearAfter(t.now());
      const flightNumber = unknownFlight(t);
      const ask = (day: string) => lookUp(t, { flightNumber, departureDate: `${year}-${day}` });
      const around = [await ask('02-28'), await ask('03-01')];
      await ask('02-29');
      // A date this far ahead may be refused for that reason.
      const isTooFar = around.some((one) => answered(one, invalid).status === 'holds');
      if (isTooFar) t.judge(around, { 'FLA-GET-038': notApplicable });
    },
  }),

  fixed({
    id: 'fla.lookup.today',
    title: 'the date of today in UTC is not refused, and that of yesterday is',
    verifies: ['FLA-GET-024', 'FLA-GET-025'],
    tags: ['smoke'],
    run: async (t) => {
      const { flightNumber } = await anyFlight(t);
      await awayFromMidnight(t);
      await lookUp(t, { flightNumber, departureDate: utcDate(t.now()) });
      await lookUp(t, { flightNumber, departureDate: pastDate(t) });
    },
  }),

  fixed({
    id: 'fla.lookup.horizon',
    title: 'a date in more than a year is found unknown or refused',
    verifies: ['FLA-OPN-021'],
    run: async (t) => {
      const { flightNumber } = await anyFlight(t);
      const sought = await t.send(lookup({ flightNumber, departureDate: utcDate(t.now(), 400) }));
      const status = responseOf(sought)?.status;
      if (status === 400) t.observe('FLA-OPN-021', 'refused-400', sought);
      else if (status === 200 || status === 404) t.observe('FLA-OPN-021', 'unbounded', sought);
    },
  }),

  fixed({
    id: 'fla.lookup.airport-codes',
    title: 'airport codes in the query are ignored, refused or a filter',
    verifies: ['FLA-OPN-015'],
    uses: ['known-flight'],
    run: async (t) => {
      const { flightNumber, departureDate, seen } = await t.fixtures.knownLeg();
      // A code that no leg has shows whether there is a filter, even if the flight has only one leg.
      const query = { flightNumber, departureDate, departureAirportIata: 'QQQ', arrivalAirportIata: 'JQQ' };
      const sought = await t.send(lookup(query));
      const status = responseOf(sought)?.status;
      if (status === 400) t.observe('FLA-OPN-015', 'refused', sought);
      else if (status === 200 && sameLegs(sought, seen).status === 'holds')
        t.observe('FLA-OPN-015', 'ignored', sought);
      else if (status === 404 || (status === 200 && routesOf(sought).length === 0))
        t.observe('FLA-OPN-015', 'filter', sought);
    },
  }),

  fixed({
    id: 'fla.lookup.other-enterprise',
    title: 'two enterprises find the same legs',
    verifies: ['FLA-GET-034'],
    needs: ['other-enterprise'],
    uses: ['known-flight'],
    run: async (t) => {
      const { flightNumber, departureDate, seen } = await t.fixtures.knownLeg();
      const theirs = await t.send(lookup({ flightNumber, departureDate }, { key: otherKey }));
      await lookAgainIfOther(t, theirs, { flightNumber, departureDate, seen });
    },
  }),
]);

/** Airport codes are not needed: where a lookup without them is refused, one with them tells why. */
async function lookWithAirports(t: CheckContext, { flightNumber, departureDate, ...flight }: Named) {
  const [route] = 'routes' in flight ? flight.routes : [[flight.departure, flight.arrival] as const];
  if (route === undefined) return;
  const [departureAirportIata, arrivalAirportIata] = route;
  await t.send(lookup({ flightNumber, departureDate, departureAirportIata, arrivalAirportIata }));
}
