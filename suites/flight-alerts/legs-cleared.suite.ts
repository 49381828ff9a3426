import {
  type Exchange,
  type JsonObject,
  type LegChanges,
  type Route,
  fixed,
  legAt,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { lookUp, put, showFlight } from '../support/flights.ts';
import { Patience, staleNowhere } from '../support/latestLeg.ts';

export default suite('Values that upstream has cleared', [
  fixed({
    id: 'fla.legs.cleared',
    title: 'a lookup does not go on showing a value that upstream has cleared',
    verifies: ['FLA-GET-001', 'FLA-GET-035'],
    needs: ['state:flights.put', 'state:flights.change'],
    run: async (t) => {
      const route: Route = ['DOH', 'SIN'];
      const latest = 'GCK-LATEST-29';
      const departureDate = utcDate(t.now(), 40);
      const before = clearable(departureDate);
      const flight = await put(t, [{ route, changes: before }], { departureDate });
      const first = await showFlight(t, flight);
      await t.state.set('flights.change', {
        ...flight,
        departureAirportIata: route[0],
        arrivalAirportIata: route[1],
        changes: {
          codeshareFlightNumber: null,
          stopover: { airportIata: null, city: null },
          alternateInfo: null,
          departure: { terminal: latest, gate: null, boardingStatus: null, actualTime: null },
          arrival: { baggageBelt: null, estimatedTime: null },
        },
      });
      // What changed along with them says that the lookup is up to date.
      const isLatest = (one: Exchange) => valueAt(legAt(one, route) ?? {}, 'departure.terminal') === latest;
      const seen = await new Patience(t).askedUntil(() => lookUp(t, flight), isLatest);
      t.assume(isLatest(seen), `${seen.id}: it does not show the terminal that changed with the values`);
      t.judge([first, seen], { 'FLA-GET-035': staleNowhere(legAt(seen, route), before, clearedPaths) });
    },
  }),
]);

/** A leg with a value for what upstream may well take back. */
function clearable(date: string): LegChanges & JsonObject {
  return {
    codeshareFlightNumber: 'EK 77',
    stopover: { airportIata: 'KWI', city: 'Kuwait City' },
    alternateInfo: [{ status: 'return' }],
    departure: { terminal: '2', gate: 'B41', boardingStatus: 'last call', actualTime: `${date} 09:41:00` },
    arrival: { baggageBelt: '12', estimatedTime: `${date} 13:47:00` },
  };
}

const clearedPaths = [
  ...['codeshareFlightNumber', 'stopover.airportIata', 'stopover.city', 'alternateInfo.0.status'],
  ...['departure.gate', 'departure.boardingStatus', 'departure.actualTime'],
  ...['arrival.baggageBelt', 'arrival.estimatedTime'],
];
