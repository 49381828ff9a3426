import {
  type CheckContext,
  type Exchange,
  type Itinerary,
  type JsonObject,
  type Judgement,
  dayMs,
  fixed,
  generate,
  holds,
  instantsOf,
  isAccepted,
  memberOf,
  minuteMs,
  objectsAt,
  parseTimestamp,
  subscribe,
  suite,
  textAt,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { bookingAhead, originOffset, spelledLike } from '../support/departures.ts';
import { findRecord, isListed } from '../support/listing.ts';

/** Changes of the clocks are sought among the days that airlines sell. */
const days = { first: 8, last: 300 };
/** So far before and after the change, no check-in window spans it. */
const marginDays = 4;
/** Two times that follow a departure differ by no more than this. */
const toleranceMs = 10 * minuteMs;

export default suite('Lead time across a change of the clocks', [
  fixed({
    id: 'wci.journey.changeover',
    title:
      'the automation is scheduled as long before a departure after a change of the clocks as before one',
    verifies: ['WCI-DT-014', 'WCI-DT-036'],
    uses: ['complete-record'],
    // Two units for a should are too many where quota is short.
    needs: ['writes', 'quota', 'state:enterprise.create'],
    run: async (t) => {
      for (const itinerary of await changingItineraries(t)) {
        const change = nextChange(t, itinerary);
        if (!change) continue;
        const before = await scheduled(t, itinerary, change.leadMs - marginDays * dayMs);
        if (!before) continue;
        // The same clock there, and then the same clock in UTC: what is scheduled by the day differs in one of them only.
        const sameClock = await scheduled(t, itinerary, change.leadMs + marginDays * dayMs - change.shiftMs);
        if (!sameClock) continue;
        // It may be null.
        if (before.aheadMs === null) t.skip('the list shows no scheduled_time');
        const evidence = [...before.evidence, ...sameClock.evidence];
        const first = isAsLong(before, sameClock, change.shiftMs);
        if (first.status !== 'violated') {
          t.judge(evidence, { 'WCI-DT-036': first });
          return;
        }
        const sameInstant = await scheduled(t, itinerary, change.leadMs + marginDays * dayMs);
        const second = sameInstant
          ? isAsLong(before, sameInstant, change.shiftMs)
          : unclear('it was refused');
        t.judge([...evidence, ...(sameInstant?.evidence ?? [])], { 'WCI-DT-036': second });
        return;
      }
      t.skip('no booking was accepted before and after a change of the clocks at its origin');
    },
  }),
]);

/** A change of the clocks at the origin: how far ahead it is, and by how much they go forward. */
interface Change {
  readonly leadMs: number;
  readonly shiftMs: number;
}

function nextChange(t: CheckContext, itinerary: Itinerary): Change | null {
  for (let day = days.first; day <= days.last; day += 1) {
    const [was, is] = [day - 1, day].map((one) => originOffset(t, itinerary, one * dayMs)) as [
      number,
      number,
    ];
    if (was !== is) return { leadMs: day * dayMs, shiftMs: is - was };
  }
  return null;
}

/** How long before its departure a booking is scheduled; null where the list does not say. */
interface Scheduled {
  readonly aheadMs: number | null;
  readonly departure: string;
  readonly evidence: readonly Exchange[];
}

async function scheduled(t: CheckContext, itinerary: Itinerary, leadMs: number): Promise<Scheduled | null> {
  const body = bookingAhead(t, itinerary, leadMs);
  const subscribed = await t.send(subscribe(body));
  const id = memberOf(subscribed, 'checkin_id');
  if (!isAccepted(subscribed) || typeof id !== 'string') return null;
  const { item, page } = await findRecord(t, id, { until: isListed });
  const at = parseTimestamp(item?.scheduled_time);
  const departsAt = departureOf(body);
  const aheadMs = at === null || departsAt === undefined ? null : departsAt - at;
  return { aheadMs, departure: clockOf(body), evidence: [subscribed, page] };
}

function departureOf(body: JsonObject): number | undefined {
  const [flight = {}] = objectsAt(body, 'flights');
  return instantsOf(generate.parseLocal(clockOf(body)), generate.zoneOf(textAt(flight, 'origin')))[0];
}

function clockOf(body: JsonObject): string {
  return textAt(objectsAt(body, 'flights')[0] ?? {}, 'departure_datetime');
}

/** Any other difference than that of the clocks says that the time does not follow the departure. */
function isAsLong(before: Scheduled, after: Scheduled, shiftMs: number): Judgement {
  if (before.aheadMs === null || after.aheadMs === null) return unclear('the list shows no scheduled_time');
  const difference = after.aheadMs - before.aheadMs;
  if (Math.abs(difference) <= toleranceMs) return holds;
  if (Math.abs(Math.abs(difference) - Math.abs(shiftMs)) > toleranceMs)
    return unclear('scheduled_time does not follow the departure');
  const long = ({ aheadMs, departure }: Scheduled) =>
    is.number(Math.round((aheadMs ?? 0) / minuteMs), 'minutes', `from scheduled_time to ${departure}`);
  const want = is.noted(long(before), 'and as many where the clocks change between them');
  return differs('changeover', 'scheduled_time', want, long(after));
}

/** The accepted itinerary, and others of one leg whose origins change their clocks. */
async function changingItineraries(t: CheckContext): Promise<readonly Itinerary[]> {
  const accepting = await t.fixtures.itinerary('international');
  const one = (airline: string, flightNumber: string, origin: string, destination: string): Itinerary => ({
    airline,
    legs: [{ flightNumber, origin, destination }],
  });
  const others = [
    one('BA', '117', 'LHR', 'JFK'),
    one('LH', '400', 'FRA', 'JFK'),
    one('QF', '81', 'SYD', 'SIN'),
  ];
  return [accepting, ...others.map((itinerary) => spelledLike(accepting, itinerary))];
}
