import {
  type AnswerObject,
  type Exchange,
  type Judgement,
  all,
  answered,
  answeredOtherThan,
  differs,
  errorCode,
  exactLegs,
  fixed,
  flightNotFound,
  generate,
  holds,
  invalid,
  is,
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
  valueAt,
} from '../checks.ts';
import { leapYearAfter, pastDate } from '../support/clocks.ts';
import { anyFlight, assumeSpecial, awayFromMidnight, lookUp, unknownFlight } from '../support/flights.ts';
import { alternateInfoForm } from '../support/openFlightPoints.ts';
import { askUnknown } from '../support/unknownIds.ts';

export default suite('GET /extPartner/api/flight-alerts', [
  fixed({
    id: 'fla.lookup.known',
    title: 'a known flight is found by its number and date alone',
    verifies: ['FLA-GET-001', 'FLA-GET-029', 'FLA-SNP-027', 'FLA-OPN-024'],
    uses: ['known-flight'],
    tags: ['smoke'],
    run: async (t) => {
      const flight = (await t.fixtures.namedFlight()) ?? (await t.fixtures.knownLeg());
      const { flightNumber, departureDate, source } = flight;
      const seen = await t.send(lookup({ flightNumber, departureDate }));
      t.assume(
        source !== 'found' || responseOf(seen)?.status !== 404,
        `${seen.id}: ${flightNumber} was found before and is gone, as can happen with real flights`,
      );
      t.judge(seen, { 'FLA-GET-001': answered(seen, ok), 'FLA-GET-029': answered(seen, ok) });
      for (const { leg } of shownLegs(seen)) {
        const form = alternateInfoForm(leg);
        if (form !== null) t.observe('FLA-OPN-024', form, seen);
      }
      t.judge(seen, { 'FLA-SNP-027': arrivesLater(seen) });
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
      const { flightNumber, departureDate, routes } = flight;
      const seen = await t.send(lookup({ flightNumber, departureDate }));
      t.assume(responseOf(seen)?.status !== 400, `${seen.id}: a lookup of a known flight is refused`);
      t.judge(seen, { 'FLA-GET-006': exactLegs(seen, routes) });
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
      const known = await t.fixtures.namedFlight();
      if (known !== null) await assumeSpecial(t, sought, known);
      t.judge(sought, { 'FLA-GET-027': answered(sought, flightNotFound) });
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
          const sought = await t.send(lookup({ flightNumber, departureDate: utcDate(t.now(), 3) }));
          await assumeSpecial(t, sought, await anyFlight(t));
          t.judge(sought, { 'FLA-GET-020': answeredOtherThan(sought, 400) });
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
      const ask = (day: string) => t.send(lookup({ flightNumber, departureDate: `${year}-${day}` }));
      const [before, after] = [await ask('02-28'), await ask('03-01')];
      const leapDay = await ask('02-29');
      // A date this far ahead may be refused for that reason.
      const tooFar = [before, after].some((control) => answered(control, invalid).status === 'holds');
      t.judge([before, after, leapDay], {
        'FLA-GET-038': tooFar ? notApplicable : answeredOtherThan(leapDay, 400),
      });
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
      const departureDate = utcDate(t.now());
      const sought = await t.send(lookup({ flightNumber, departureDate }));
      t.assume(utcDate(t.now()) === departureDate, 'the day ended in UTC while the request was under way');
      await assumeSpecial(t, sought, { flightNumber, departureDate: utcDate(t.now(), 3) });
      t.judge(sought, { 'FLA-GET-025': answeredOtherThan(sought, 400) });
      const past = await t.send(lookup({ flightNumber, departureDate: pastDate(t) }));
      t.judge(past, { 'FLA-GET-024': answered(past, invalid) });
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
      t.judge([seen, theirs], { 'FLA-GET-034': all(sameLegs(theirs, seen), sameNumbers(theirs, seen)) });
    },
  }),
]);

/** Whether two answers to one lookup spell the numbers of their legs alike, whoever asked. */
function sameNumbers(actual: Exchange, expected: Exchange): Judgement {
  const [shown = [], wanted = []] = [actual, expected].map((one) =>
    shownLegs(one).map(({ leg }) => leg.flightNumber),
  );
  const at = shown.findIndex((number, index) => wanted[index] !== undefined && wanted[index] !== number);
  return at < 0 ? holds : differs('number', 'flightNumber', is.value(wanted[at]), is.value(shown[at]));
}

/** Whether every leg that has both times is scheduled to arrive after it departs; both are on one clock. */
function arrivesLater(exchange: Exchange): Judgement {
  const timed = shownLegs(exchange).flatMap(({ at, leg }) => {
    const [departure, arrival] = [timeAt(leg, 'departure'), timeAt(leg, 'arrival')];
    return departure === null || arrival === null ? [] : [{ at, departure, arrival }];
  });
  if (timed.length === 0) return notApplicable;
  // Times of this form sort as text.
  const wrong = timed.find(({ departure, arrival }) => arrival <= departure);
  if (!wrong) return holds;
  const { at, departure, arrival } = wrong;
  return differs('order', `${at}.arrival.scheduledTime`, is.text(`later than ${departure}`), arrival);
}

function timeAt(leg: AnswerObject, end: 'departure' | 'arrival'): string | null {
  const time = valueAt(leg, `${end}.scheduledTime`);
  return typeof time === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time) && !time.startsWith('0000')
    ? time
    : null;
}
