import {
  type AnswerObject,
  type Exchange,
  type Judgement,
  accepted,
  all,
  holds,
  isAccepted,
  unclear,
  violated,
} from '../checks.ts';
import { isRefused } from './checkin.ts';

/** A top-level pnr that took effect is the fault; a refusal of the unknown member is none. */
export function isTaken(
  exchange: Exchange,
  item: AnswerObject | null,
  wanted: string,
  outer: string,
): Judgement {
  if (!item) return unclear('the list does not show the record');
  if (item.pnr === outer)
    return violated('pnr', `pnr ${wanted}`, `pnr ${outer}, which stood at the top level`);
  if (isRefused(exchange)) return holds;
  // Any other pnr is no work of the top-level one.
  return all(
    accepted(exchange),
    item.pnr === wanted ? holds : unclear(`its pnr is ${JSON.stringify(item.pnr)}`),
  );
}

/** A passengers update after which the record, which had a pnr, has none. */
export function keptPnr(exchange: Exchange, item: AnswerObject | null): Judgement {
  const isGone = item !== null && (item.pnr === undefined || item.pnr === null || item.pnr === '');
  if (!isAccepted(exchange) || !isGone) return holds;
  return violated('pnr', 'the pnr as it was', `pnr ${JSON.stringify(item.pnr)}`);
}
