import {
  type CheckContext,
  type Exchange,
  type Itinerary,
  type Judgement,
  generate,
  holds,
  memberOf,
  minuteMs,
  unclear,
  differs,
  is,
  numberDue,
} from '../checks.ts';
import { earliestNow } from './clocks.ts';
import { findListed } from './listing.ts';

/** A refused subscribe has left no attempt: nothing in the list has its pnr. */
export async function judgeUnlisted(
  t: CheckContext,
  rule: string,
  { refused, pnr }: { readonly refused: Exchange; readonly pnr: unknown },
): Promise<void> {
  const { page, item, why } = await findLeft(t, refused, pnr);
  const judgement = item === null ? (why ?? holds) : numberDue('attempt', 'items', 0, 1, 'with its pnr');
  t.judge([refused, page], { [rule]: judgement });
}

/** Looks for what a rejected journey has left: nothing, or an attempt that is said to have failed, its pnr in the list with no other status. */
export async function observeNothingLeft(t: CheckContext, exchange: Exchange, pnr: unknown): Promise<void> {
  const { page, item, why } = await findLeft(t, exchange, pnr);
  if (why === null && (item === null || item.status === 'FAILED'))
    t.observe('WCI-OPN-025', item === null ? 'no-record' : 'failed-record', page);
  t.judge([exchange, page], { 'WCI-JRN-014': why ?? leavesNothing(item?.status) });
}

/** What a refused subscribe has left in the list; `why` if that cannot be known. */
async function findLeft(t: CheckContext, refused: Exchange, pnr: unknown) {
  const ago = t.wallClock() - refused.timings.sentAt;
  const since = earliestNow(t) - ago - minuteMs;
  const { page, item, whole } = await findListed(t, (listed) => listed.pnr === pnr, { since });
  const isKnown = item !== null || whole;
  const why = isKnown
    ? null
    : unclear(
        `the list is too long to be read to its end (${memberOf(page, 'pagination', 'total') as number} records), and not in the order of created_at: use keys of an enterprise with less than 600`,
      );
  return { page, item, why };
}

function leavesNothing(status: unknown): Judgement {
  if (status === undefined || status === 'FAILED') return holds;
  return differs('attempt', 'status', is.value('FAILED', 'or no attempt'), is.value(status));
}

/** A code of an airline that is not supported, and whether that is known: of another deployment only the user knows. */
export function unsupportedAirline(
  t: CheckContext,
  accepting: Itinerary,
): { readonly airline: string; readonly isKnown: boolean } {
  const { itineraries, target } = t.settings;
  // The embedded deployment supports no unassigned code.
  const own = target.kind === 'embedded' ? generate.unassignedAirline.iata : null;
  const known = itineraries.unsupportedAirline ?? own;
  const isUnassigned = known === null || Object.values<string>(generate.unassignedAirline).includes(known);
  return { airline: isUnassigned ? unassignedAirline(accepting) : known, isKnown: known !== null };
}

/** A code that no airline has, of the length that the deployment takes. */
export function unassignedAirline({ airline }: Itinerary): string {
  const { iata, icao } = generate.unassignedAirline;
  return airline.length === 3 ? icao : iata;
}
