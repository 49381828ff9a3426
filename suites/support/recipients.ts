import { type Delivery, type Judgement, holds, is, noneDue, noticesOf } from '../checks.ts';
import { type Subscriber, deliveriesSince } from './notices.ts';

/** Whether nothing new came since a count. */
export function tellsNothingNew(kept: Subscriber, count: number): Judgement {
  const told = (deliveries: readonly Delivery[]) =>
    noticesOf(deliveries).map(({ changes }) => JSON.stringify(changes));
  const before = told(deliveriesSince(kept, 0).slice(0, count));
  const isNew = told(deliveriesSince(kept, count)).some((changes) => !before.includes(changes));
  return isNew
    ? noneDue('retry', 'where nothing changed', is.text('a callback after an identical subscribe'))
    : holds;
}
