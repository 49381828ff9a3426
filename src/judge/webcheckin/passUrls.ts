import { type Json } from '../kernel/body.ts';
import type { Shown } from '../../spec/world/shown.ts';
import { type Change } from './webhookOrder.ts';
import { type WebhookEvent } from '../../spec/world/webhookEvent.ts';
import { type WebhookHistory } from './webhookHistory.ts';

/** A change of which the passes count and their URLs do not: these may be made anew wherever they are shown. */
export function withoutPassUrls(change: Change): Change {
  const { before, after, events } = change;
  return { ...change, before: counted(before), after: counted(after), events: events.map(countedIn) };
}

/** The same of all that was done to a record. */
export function historyWithoutPassUrls(history: WebhookHistory): WebhookHistory {
  return {
    ...history,
    polled: history.polled.map(counted),
    moves: history.moves.map(({ from, to }) => ({ from: counted(from), to: counted(to) })),
    events: history.events.map(countedIn),
  };
}

function counted(shown: Shown): Shown {
  return { ...shown, boarding_passes: anonymous(shown.boarding_passes) };
}

function countedIn(event: WebhookEvent): WebhookEvent {
  const { boarding_passes: passes } = event.changes;
  if (passes === undefined) return event;
  return { ...event, changes: { ...event.changes, boarding_passes: anonymous(passes) } };
}

function anonymous(passes: Json): Json {
  return isFilledList(passes) ? passes.map(() => 'a pass') : passes;
}

/** A list with an item at least. */
export function isFilledList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0;
}
