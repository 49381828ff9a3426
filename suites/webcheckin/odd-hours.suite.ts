import {
  type CheckContext,
  type Itinerary,
  type JsonObject,
  dayMs,
  generate,
  hourMs,
  instantsOf,
  localDateTime,
  offsetAt,
  responseOf,
  subscribe,
  suite,
  table,
} from '../checks.ts';
import { inFlights, withFreshPnr } from '../support/checkin.ts';
import { bookingAhead } from '../support/departures.ts';

interface OddHour {
  readonly rule: string;
  readonly name: string;
  readonly origins: readonly string[];
  /** How often the clock of the origin shows that time; 1 for any time. */
  readonly times: 0 | 1 | 2;
}

/** Clocks and zones over which programs stumble that know whole hours and one instant for each clock. */
const oddHours: readonly OddHour[] = [
  { name: 'an hour that comes twice', origins: ['LHR', 'JFK', 'SYD'], times: 2 },
  { name: 'an hour that is left out', origins: ['LHR', 'JFK', 'SYD'], times: 0 },
  { name: 'a zone of half an hour', origins: ['DEL'], times: 1 },
  { name: 'a zone of a quarter of an hour', origins: ['KTM'], times: 1 },
  { name: 'a zone beyond +12:00', origins: ['TBU'], times: 1 },
].map((row) => ({ rule: 'WCI-DT-001', ...row }) as OddHour);

/** The days that airlines sell. */
const days = { first: 8, last: 300 };

export default suite('Wall clocks of flights: hours and zones', [
  table({
    id: 'wci.datetime.odd-hours',
    title: 'no hour and no zone of a departure is an internal error',
    verifies: ['WCI-DT-001'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: oddHours,
    run: (t, rows) =>
      t.each(rows, async ({ origins, times }) => {
        const itinerary = await t.fixtures.itinerary('international');
        const found = origins.map((origin) => oddBooking(t, itinerary, origin, times));
        const odd = found.find((one) => one !== null);
        t.assume(odd !== undefined, 'no such hour comes within the days that airlines sell');
        if (!odd) return;
        // What is not flown may be refused, and what such a clock means is open.
        if (responseOf(await t.send(subscribe(odd)))?.status !== 500) return;
        // Once it may be an accident; twice, with another booking in between that is answered, it is none.
        await t.send(subscribe(bookingAhead(t, itinerary, 9 * dayMs)));
        await t.send(subscribe(odd));
      }),
  }),
]);

/** A booking from that airport to where the accepted one begins. */
function oddBooking(
  t: CheckContext,
  { airline, legs: [leg] }: Itinerary,
  origin: string,
  times: OddHour['times'],
): JsonObject | null {
  const destination = [leg?.origin, leg?.destination].find((code) => code !== origin) ?? '';
  const there = { airline, legs: [{ flightNumber: leg?.flightNumber ?? '1', origin, destination }] };
  const body = withFreshPnr(t, bookingAhead(t, there, (days.first + 1) * dayMs));
  const departure = times === 1 ? null : oddClock(t.now(), generate.zoneOf(origin), times);
  if (times !== 1 && departure === null) return null;
  return inFlights(body, (flight) => ({
    ...flight,
    arrival_datetime: null,
    ...(departure === null ? {} : { departure_datetime: departure }),
  }));
}

/** The next clock that the zone shows so often. */
function oddClock(now: number, zone: string, times: number): string | null {
  for (let day = days.first; day <= days.last; day += 1) {
    const [start, end] = [day, day + 1].map((one) => now + one * dayMs) as [number, number];
    if (offsetAt(start, zone) === offsetAt(end, zone)) continue;
    for (let at = start - 2 * hourMs; at < end + 2 * hourMs; at += hourMs / 2) {
      const local = localDateTime(at + offsetAt(start, zone), 'UTC');
      if (instantsOf(local, zone).length === times)
        return generate.renderDateTime(local, generate.preferredForm);
    }
  }
  return null;
}
