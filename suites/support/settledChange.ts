import {
  type Change,
  type CheckContext,
  type Shown,
  type Waited,
  type WebhookEvent,
  agreesWith,
  heaviest,
  shownBy,
  tellsChanges,
} from '../checks.ts';
import { comparable } from './looks.ts';
import { type Moved, isEnded } from './movements.ts';
import { type Hooked, eventsBetween, eventsOf, polled } from './webhooks.ts';

/** Waits until nothing more can come, then polls until that shows what was pushed: a read may lag behind. */
export async function settled(t: CheckContext, hook: Hooked, before: Shown, from: number): Promise<Moved> {
  const waited = await t.callbacks.settle();
  const changeTo = (after: Shown): Change => ({ before, after, events: newEvents(hook, from), isOver: true });
  const isThere = (shown: Shown) => agreesWith(comparable(t, changeTo(shown))).status !== 'violated';
  const read = await polled(t, hook, isThere);
  const after = shownBy(read);
  t.assume(after !== null, 'the record was not read');
  const told = () => changeTo(after ?? before);
  const isWhole = () =>
    heaviest([tellsChanges, agreesWith].map((judge) => judge(comparable(t, told())))).status !== 'violated';
  // Where each field has an event of its own, the last one may come long after the first.
  const isOver = isWhole() || (await isEnded(t, hook, await waitedFor(t, hook, { waited, isWhole })));
  return { change: { ...told(), isOver }, read };
}

/** Waits for the rest of what has begun to come, unless nothing more is pending. */
function waitedFor(
  t: CheckContext,
  hook: Hooked,
  { waited, isWhole }: { readonly waited: Waited; readonly isWhole: () => boolean },
): Promise<Waited> {
  return waited === 'patience' ? t.callbacks.wait(hook.address, isWhole) : Promise.resolve(waited);
}

/** Without those of an earlier change, told field by field, that are late: they have its time. */
function newEvents(hook: Hooked, from: number): readonly WebhookEvent[] {
  const times = new Set(eventsBetween(hook, 0, from).map(({ occurredAt }) => occurredAt));
  return eventsOf(hook, from).filter(({ occurredAt }) => occurredAt === null || !times.has(occurredAt));
}
