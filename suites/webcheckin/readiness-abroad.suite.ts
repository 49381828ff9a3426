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
import { bookingAhead } from '../support/departures.ts';

/** Out of a country and back into it, over the airline's own airport. */
const thereAndBack: readonly Itinerary[] = [
  overHub('EK', ['4', '23'], ['LHR', 'DXB', 'EDI']),
  overHub('QR', ['4', '27'], ['LHR', 'DOH', 'EDI']),
  overHub('SQ', ['637', '660'], ['NRT', 'SIN', 'CTS']),
  overHub('BA', ['112', '203'], ['JFK', 'LHR', 'BOS']),
];

export default suite('Readiness of journeys that end where they began', [
  fixed({
    id: 'wci.readiness.there-and-back',
    title: 'a journey that leaves a country and ends in it is incomplete without passports',
    verifies: ['WCI-RDY-080'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const itinerary = await supportedOf(t);
      if (!itinerary) return t.skip('no such journey of an airline that it supports is known');
      const body = withoutPassports(bookingAhead(t, itinerary, 12 * dayMs));
      const exchange = await t.send(subscribe(body));
      // Which routes are supported is not stated.
      const isNew = isAccepted(exchange) && memberOf(exchange, 'message') === 'SCHEDULED';
      t.judge(exchange, { 'WCI-RDY-080': isNew ? lacksSomething(objectOf(exchange)) : notApplicable });
    },
  }),
]);

async function supportedOf(t: CheckContext): Promise<Itinerary | undefined> {
  const accepting = await t.fixtures.itinerary('international');
  const form = accepting.airline.length === 3 ? 'icao' : 'iata';
  return thereAndBack
    .map((one) => generate.withAirlineForm(one, form))
    .find(({ airline }) => airline === accepting.airline);
}

function overHub(
  airline: string,
  [first, second]: readonly [string, string],
  [origin, hub, destination]: readonly [string, string, string],
): Itinerary {
  return {
    airline,
    legs: [
      { flightNumber: first, origin, destination: hub },
      { flightNumber: second, origin: hub, destination },
    ],
  };
}
