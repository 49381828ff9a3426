import {
  type CheckContext,
  type Exchange,
  type Itinerary,
  type Judgement,
  generate,
  holds,
  violated,
} from '../checks.ts';
import { findListed } from './listing.ts';

/** A rejected journey has left no attempt, or one that is said to have failed: its pnr is in the list with no other status. */
export async function judgeNothingLeft(t: CheckContext, exchange: Exchange, pnr: unknown): Promise<void> {
  const { page, item, whole } = await findListed(t, (listed) => listed.pnr === pnr);
  t.assume(item !== null || whole, 'the list is too long to be read to its end');
  t.observe('WCI-OPN-025', item === null ? 'no-record' : 'failed-record', page);
  t.judge([exchange, page], { 'WCI-JRN-014': leavesNothing(item?.status) });
}

function leavesNothing(status: unknown): Judgement {
  if (status === undefined || status === 'FAILED') return holds;
  return violated('attempt', 'no attempt, or a FAILED one', `an attempt that is ${JSON.stringify(status)}`);
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
