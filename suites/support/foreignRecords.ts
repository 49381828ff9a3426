import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  all,
  answered,
  describeResponse,
  isAccepted,
  notFound,
  responseOf,
  unclear,
} from '../checks.ts';
import { updated } from './checkin.ts';
import { findListed } from './listing.ts';

/** 404; a 400 says that the update was refused for its form, which is the matter of other checks. */
export function foundNothing(x: Exchange): Judgement {
  return responseOf(x)?.status === 400 ? unclear(`${x.id}: ${describeResponse(x)}`) : answered(x, notFound);
}

type Foreign = Pick<OwnRecord, 'checkinId' | 'bookingId'>;

/**
 * The page that shows a booking of the caller's own with the number of a foreign one, as where each enterprise numbers
 * its own. An update by that number would change it, whoever made it.
 */
export async function ownOfNumber(
  t: CheckContext,
  { checkinId, bookingId }: Foreign,
): Promise<Exchange | null> {
  const isOwn = (item: AnswerObject) => item.booking_id === bookingId && item.checkin_id !== checkinId;
  const { item, page } = await findListed(t, isOwn);
  return item === null ? null : page;
}

/** Whether updates by the number of a foreign booking met one of the caller's own that the list had not shown yet. */
export async function metOwn(
  t: CheckContext,
  updates: readonly Exchange[],
  foreign: Foreign,
): Promise<boolean> {
  if (updates.some((x) => isAnother(x, foreign.checkinId))) return true;
  const isHindered = updates.some((x) => [409, 422].includes(responseOf(x)?.status ?? 0));
  return isHindered && (await ownOfNumber(t, foreign)) !== null;
}

/** Whether an update was carried out on a record that is not the one of this id. */
function isAnother(x: Exchange, checkinId: string): boolean {
  const id = updated(x)?.checkin_id;
  return isAccepted(x) && typeof id === 'string' && id !== checkinId;
}

/** The first that is broken, else one that holds, else what keeps them from telling. */
export function any(...judgements: readonly Judgement[]): Judgement {
  const broken = judgements.find(({ status }) => status === 'violated');
  return broken ?? judgements.find(({ status }) => status === 'holds') ?? all(...judgements);
}
