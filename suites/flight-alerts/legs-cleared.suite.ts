import {
  type Exchange,
  type LegChanges,
  type Route,
  fixed,
  legAt,
  suite,
  utcDate,
  valueAt,
} from '../checks.ts';
import { legOn, lookUp, put } from '../support/flights.ts';
import { Patience } from '../support/latestLeg.ts';
import { changeLeg } from '../support/notices.ts';

/** What changes along with the values, and says that a lookup is up to date. */
const latest = 'GCK-LATEST-29';
const [clearedRoute, divertedRoute]: readonly [Route, Route] = [
  ['DOH', 'SIN'],
  ['SIN', 'NRT'],
];

export default suite('Values that upstream has cleared', [
  fixed({
    id: 'fla.legs.cleared',
    title:
      'a lookup does not go on showing a value, or alternate routes, that upstream has cleared or replaced',
    verifies: ['FLA-GET-001', 'FLA-GET-035'],
    needs: ['state:flights.put', 'state:flights.change'],
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const before = clearable(departureDate);
      const legs = [
        { route: clearedRoute, changes: before },
        { route: divertedRoute, changes: { alternateInfo: [{ status: 'return' }] } },
      ];
      const flight = await put(t, legs, { departureDate });
      await lookUp(t, flight);
      await changeLeg(t, legOn(flight, clearedRoute), {
        codeshareFlightNumber: null,
        stopover: { airportIata: null, city: null },
        alternateInfo: null,
        departure: { terminal: latest, gate: null, boardingStatus: null, actualTime: null },
        arrival: { baggageBelt: null, estimatedTime: null },
      });
      await changeLeg(t, legOn(flight, divertedRoute), {
        alternateInfo: [{ status: 'diversion' }],
        departure: { terminal: latest },
      });
      await new Patience(t).askedUntil(() => lookUp(t, flight), isLatest);
    },
  }),
]);

function isLatest(seen: Exchange): boolean {
  return [clearedRoute, divertedRoute].every(
    (route) => valueAt(legAt(seen, route) ?? {}, 'departure.terminal') === latest,
  );
}

/** A leg with a value for what upstream may well take back. */
function clearable(date: string): LegChanges {
  return {
    codeshareFlightNumber: 'EK 77',
    stopover: { airportIata: 'KWI', city: 'Kuwait City' },
    alternateInfo: [{ status: 'return' }],
    departure: { terminal: '2', gate: 'B41', boardingStatus: 'last call', actualTime: `${date} 09:41:00` },
    arrival: { baggageBelt: '12', estimatedTime: `${date} 13:47:00` },
  };
}
