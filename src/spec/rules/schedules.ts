import type { Call } from '../../trace/call.ts';
import * as is from '../kernel/value.ts';
import type { Flights } from '../world/flights.ts';
import { flightAskedIn, flightOf, shownLegs } from '../world/legs.ts';
import { valueAt } from './legMembers.ts';
import { suspect, type Show, type Suspect } from './suspect.ts';

const time = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** A leg is scheduled to arrive after it departs, as both are on one clock; what the state handler has made may be anything. */
export function judgeSchedules(call: Call, world: Flights, show: Show): readonly Suspect[] {
  const isMade = world.of(flightOf(flightAskedIn(call) ?? {})) !== null;
  return shownLegs(call.exchange).flatMap(({ at, leg }) => {
    const [departure, arrival] = ['departure', 'arrival'].map((end) => valueAt(leg, `${end}.scheduledTime`));
    if (!isTime(departure) || !isTime(arrival)) return [];
    // Times of this form sort as text.
    if (arrival > departure) show('FLA-SNP-027');
    if (arrival > departure || isMade) return [];
    const want = is.text(`later than ${departure}`);
    return [
      suspect({ call }, 'FLA-SNP-027', { at: `${at}.arrival.scheduledTime`, want, got: arrival }, null),
    ];
  });
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && time.test(value);
}
