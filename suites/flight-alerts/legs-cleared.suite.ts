import {
  type AnswerObject,
  type Exchange,
  type Judgement,
  type JsonObject,
  type LegChanges,
  type Route,
  fixed,
  holds,
  isObject,
  legAt,
  suite,
  utcDate,
  valueAt,
  differs,
  is,
} from '../checks.ts';
import { legOn, lookUp, put, showFlight } from '../support/flights.ts';
import { Patience, staleNowhere } from '../support/latestLeg.ts';
import { changeLeg } from '../support/notices.ts';

/** What changes along with the values, and says that a lookup is up to date. */
const latest = 'GCK-LATEST-29';
const [clearedRoute, divertedRoute]: readonly [Route, Route] = [
  ['DOH', 'SIN'],
  ['SIN', 'NRT'],
];
const [former, current] = ['return', 'diversion'];

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
        { route: divertedRoute, changes: { alternateInfo: [{ status: former }] } },
      ];
      const flight = await put(t, legs, { departureDate });
      const first = await showFlight(t, flight);
      await changeLeg(t, legOn(flight, clearedRoute), {
        codeshareFlightNumber: null,
        stopover: { airportIata: null, city: null },
        alternateInfo: null,
        departure: { terminal: latest, gate: null, boardingStatus: null, actualTime: null },
        arrival: { baggageBelt: null, estimatedTime: null },
      });
      await changeLeg(t, legOn(flight, divertedRoute), {
        alternateInfo: [{ status: current }],
        departure: { terminal: latest },
      });
      const seen = await new Patience(t).askedUntil(() => lookUp(t, flight), isLatest);
      t.assume(isLatest(seen), `${seen.id}: it does not show the terminal that changed with the values`);
      t.judge([first, seen], {
        'FLA-GET-035': staleNowhere(legAt(seen, clearedRoute), before, clearedPaths),
      });
      t.judge([first, seen], { 'FLA-GET-035': isReplaced(legAt(seen, divertedRoute)) });
    },
  }),
]);

function isLatest(seen: Exchange): boolean {
  return [clearedRoute, divertedRoute].every(
    (route) => valueAt(legAt(seen, route) ?? {}, 'departure.terminal') === latest,
  );
}

/** The received routes replace the stored ones (Events): none of those is shown any more. */
function isReplaced(leg: AnswerObject | null): Judgement {
  const routes = leg?.alternateInfo;
  const isStale = Array.isArray(routes) && routes.some((one) => isObject(one) && one.status === former);
  if (!isStale) return holds;
  const want = is.value(current, 'alone');
  return differs('stale', 'alternateInfo[].status', want, is.value(former, 'as before'));
}

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
