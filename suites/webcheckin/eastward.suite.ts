import {
  type CheckContext,
  type Itinerary,
  dayMs,
  fixed,
  generate,
  isAccepted,
  lacksSomething,
  memberOf,
  notApplicable,
  objectOf,
  subscribe,
  suite,
  withoutPassports,
} from '../checks.ts';
import { inFlights, withFreshPnr } from '../support/checkin.ts';
import { bookingAhead } from '../support/departures.ts';

// Read in the timezone of its origin, the first arrival of each would lie hours behind the second departure.

/** Out of a country to the east, and back into it. */
const thereAndBack: readonly Itinerary[] = [
  connection('EK', ['202', '237'], ['JFK', 'DXB', 'BOS']),
  connection('QR', ['702', '743'], ['JFK', 'DOH', 'BOS']),
  connection('SQ', ['317', '52'], ['LHR', 'SIN', 'EDI']),
  connection('BA', ['112', '203'], ['JFK', 'LHR', 'BOS']),
];
/** On to a third country. */
const onward: readonly Itinerary[] = [
  connection('EK', ['202', '352'], ['JFK', 'DXB', 'SIN']),
  connection('QR', ['702', '944'], ['JFK', 'DOH', 'SIN']),
  connection('SQ', ['317', '638'], ['LHR', 'SIN', 'NRT']),
  connection('BA', ['112', '11'], ['JFK', 'LHR', 'SIN']),
];
const leadMs = 12 * dayMs;

export default suite('Journeys to the east', [
  fixed({
    id: 'wci.journey.eastward',
    title:
      'a connection after a flight to the east is accepted, each clock read in its own timezone, and is international also where it comes back',
    verifies: ['WCI-JRN-012', 'WCI-RDY-080'],
    uses: ['complete-record'],
    run: async (t) => {
      const [returning, going] = [await ofAirline(t, thereAndBack), await ofAirline(t, onward)];
      if (!returning || !going)
        return t.skip('no flights to the east of an airline that it supports are known');
      const body = withoutPassports(bookingAhead(t, returning, leadMs));
      const exchange = await t.send(subscribe(body));
      const isNew = isAccepted(exchange) && memberOf(exchange, 'message') === 'SCHEDULED';
      t.judge(exchange, { 'WCI-RDY-080': isNew ? lacksSomething(objectOf(exchange)) : notApplicable });
      if (isAccepted(exchange)) return;
      // Which routes are supported is not stated: without arrivals only the route can be refused.
      const onwards = bookingAhead(t, going, leadMs);
      if (isAccepted(await t.send(subscribe(onwards)))) return;
      const bare = inFlights(withFreshPnr(t, onwards), (flight) => ({ ...flight, arrival_datetime: null }));
      if (!isAccepted(await t.send(subscribe(bare))))
        t.skip('it is refused without arrivals as well, which may be for its route');
    },
  }),
]);

/** One of the airline that the deployment is known to support, spelled as it takes it. */
async function ofAirline(t: CheckContext, all: readonly Itinerary[]): Promise<Itinerary | undefined> {
  const accepting = await t.fixtures.itinerary('international');
  const form = accepting.airline.length === 3 ? 'icao' : 'iata';
  return all
    .map((one) => generate.withAirlineForm(one, form))
    .find(({ airline }) => airline === accepting.airline);
}

function connection(
  airline: string,
  [first, second]: readonly [string, string],
  [origin, stop, destination]: readonly [string, string, string],
): Itinerary {
  return {
    airline,
    legs: [
      { flightNumber: first, origin, destination: stop },
      { flightNumber: second, origin: stop, destination },
    ],
  };
}
