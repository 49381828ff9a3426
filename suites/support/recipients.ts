import {
  type Judgement,
  holds,
  keyOf,
  noticesOf,
  differs,
  is,
  ofAnother,
  noneDue,
  notThatOf,
} from '../checks.ts';
import { type Subscriber, authorizationsOf, deliveriesSince } from './notices.ts';

/** Whether nothing that belongs to one subscriber reached another. */
export function nothingOf(owner: Subscriber, { address }: Subscriber): Judgement {
  const { deliveries } = address.mailbox;
  const { fid } = owner.callback;
  if (noticesOf(deliveries).some((notice) => notice.fid === fid))
    return ofAnother('fid', 'fid', 'enterprise', fid);
  const key = keyOf(owner.subscribed);
  const isUsed = key !== null && authorizationsOf(deliveries).some((value) => value.includes(key));
  return isUsed ? ofAnother('key', 'header Authorization', 'enterprise') : holds;
}

/** Whether nothing new came since a count. */
export function tellsNothingNew(kept: Subscriber, count: number): Judgement {
  const told = (deliveries: Deliveries) =>
    noticesOf(deliveries).map(({ changes }) => JSON.stringify(changes));
  const before = told(deliveriesSince(kept, 0).slice(0, count));
  const isNew = told(deliveriesSince(kept, count)).some((changes) => !before.includes(changes));
  return isNew
    ? noneDue('retry', 'where nothing changed', is.text('a callback after an identical subscribe'))
    : holds;
}

type Deliveries = ReturnType<typeof deliveriesSince>;

/** Whether the notifications of a retry carry the key of those before it. */
export function keepsKey(before: Deliveries, after: Deliveries): Judgement {
  const [first] = authorizationsOf(before);
  if (authorizationsOf(after).every((value) => value === first)) return holds;
  return notThatOf('key', 'header Authorization', 'the callbacks before');
}

/** Whether the notifications of a retry carry the fid of those before it. */
export function keepsFid(before: Deliveries, after: Deliveries): Judgement {
  const fids = (deliveries: Deliveries) => noticesOf(deliveries).map(({ fid }) => fid);
  const [first] = fids(before);
  const other = fids(after).find((fid) => fid !== first);
  return other === undefined ? holds : differs('fid', 'fid', is.value(first), is.value(other));
}
