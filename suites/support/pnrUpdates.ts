import {
  type AnswerObject,
  type CheckContext,
  type OwnRecord,
  hasMember,
  isAccepted,
  lacksNothing,
  lacksSomething,
  objectsAt,
} from '../checks.ts';
import { judgeUpdated, lackingTwice, pnrUpdate, sendUpdate } from './checkin.ts';
import { findRecord } from './listing.ts';

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
