import type { JsonObject } from '../../trace/body.ts';
import { instantsAt, zoneOf } from './departure.ts';

const hourMs = 3_600_000;
/** How long after a leg begins, or ends if it says when, the next one begins where airlines sell the two together. */
const [leastStop, mostStop] = [hourMs, 36 * hourMs];

export function areConnections(flights: readonly JsonObject[]): boolean {
  return flights.slice(1).every(({ departure_datetime: clock, origin }, at) => {
    const before = flights[at];
    const [next = 0] = instantsAt(clock, zoneOf(origin));
    const [end] = instantsAt(before?.arrival_datetime, zoneOf(before?.destination));
    const [start = 0] = instantsAt(before?.departure_datetime, zoneOf(before?.origin));
    const stop = next - (end ?? start);
    return stop >= leastStop && stop <= mostStop && next - start <= mostStop;
  });
}
