import {
  type Delivery,
  type Judgement,
  holds,
  keyOf,
  noticesOf,
  differs,
  is,
  ofAnother,
  notThatOf,
} from '../checks.ts';
import { type Subscriber, authorizationsOf } from './notices.ts';

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

type Deliveries = readonly Delivery[];

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
