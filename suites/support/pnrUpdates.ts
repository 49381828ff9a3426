import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  accepted,
  all,
  hasMember,
  holds,
  isAccepted,
  lacksNothing,
  lacksSomething,
  objectsAt,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { isRefused, judgeUpdated, lackingTwice, pnrUpdate, sendUpdate } from './checkin.ts';
import { findRecord } from './listing.ts';

/** A top-level pnr that took effect is the fault; a refusal of the unknown member is none. */
export function isTaken(
  exchange: Exchange,
  item: AnswerObject | null,
  wanted: string,
  outer: string,
): Judgement {
  if (!item) return unclear('the list does not show the record');
  if (item.pnr === outer) return differs('pnr', 'pnr', wanted, is.value(outer, 'from the top level'));
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
  return differs('pnr', 'pnr', is.whose('the record before'), is.value(item.pnr));
}

/** Two updates at once, of the pnr and of the passengers, both last, whichever is done first. */
export async function judgeBothKept(t: CheckContext, record: OwnRecord): Promise<void> {
  const { checkinId: checkin_id, body } = record;
  const passengers = objectsAt(body, 'passengers');
  const whole = await sendUpdate(t, record, { checkin_id, passengers });
  if ((await judgeUpdated(t, whole, lacksNothing)).judgement.status !== 'holds') return;
  const pnr = t.identities.pnr();
  const both = await Promise.all([
    sendUpdate(t, record, pnrUpdate(record, pnr)),
    sendUpdate(t, record, { checkin_id, passengers: passengers.map(lackingTwice) }),
  ]);
  if (!both.every(isAccepted)) return;
  const areKept = (item: AnswerObject | null) => item?.pnr === pnr && lacksSomething(item).status === 'holds';
  const { page, item } = await findRecord(t, record, { until: areKept });
  if (!item) return;
  t.judge([...both, page], {
    'WCI-UPD-045': hasMember(item, 'pnr', pnr),
    'WCI-UPD-036': lacksSomething(item),
  });
}
