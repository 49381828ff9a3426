import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  all,
  answered,
  describeResponse,
  equalMembers,
  isAccepted,
  notApplicable,
  notFound,
  responseOf,
  unclear,
} from '../checks.ts';
import { judgeAlike } from './alike.ts';
import { updated } from './checkin.ts';
import { findListed } from './listing.ts';
import { askUnknownBooking } from './unknownIds.ts';

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
async function metOwn(t: CheckContext, updates: readonly Exchange[], foreign: Foreign): Promise<boolean> {
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
function any(...judgements: readonly Judgement[]): Judgement {
  const broken = judgements.find(({ status }) => status === 'violated');
  return broken ?? judgements.find(({ status }) => status === 'holds') ?? all(...judgements);
}

/** What shows of a record whether it was changed. */
export const state = ['status', 'sub_status', 'missing_info'];

interface ForeignRecord {
  readonly record: OwnRecord;
  /** Its status before anything was tried, and how to read it again. */
  readonly before: Exchange;
  readonly read: () => Promise<Exchange>;
  /** Updates of it that were sent. */
  readonly tried: readonly Exchange[];
  readonly send: (name: object) => Promise<Exchange>;
}

/** By its booking it is not found either, and nothing that was tried has changed it. Numbers may be those of an own booking. */
export async function judgeByBooking(t: CheckContext, foreign: ForeignRecord): Promise<void> {
  const { send, before } = foreign;
  const { checkinId, bookingId } = foreign.record;
  const byNumber = await send({ booking_id: bookingId });
  const byText = t.isSparing ? byNumber : await send({ booking_id: String(bookingId) });
  const missing = await askUnknownBooking(t, (id) => send({ booking_id: id }));
  const after = await foreign.read();
  const isOwn = await metOwn(t, [byNumber, byText], { checkinId, bookingId });
  t.judge([before, ...foreign.tried, byNumber, byText, after], {
    'WCI-SCP-003': isOwn ? notApplicable : any(foundNothing(byNumber), foundNothing(byText)),
    'WCI-SCP-006': equalMembers(after, before, state),
  });
  if (isOwn) return;
  const byBooking = async (id: number | string) => ({ x: await send({ booking_id: id }), id });
  const { evidence, judgement } = await judgeAlike({ x: byNumber, id: bookingId }, missing, {
    foreign: () => byBooking(bookingId),
    missing: () => byBooking(missing.id),
  });
  t.judge(evidence, { 'WCI-SCP-004': judgement });
}
