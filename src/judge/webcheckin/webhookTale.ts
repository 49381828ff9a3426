import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';
import { describeValue } from '../kernel/rule.ts';
import { changeFields, type WebhookEvent } from './webhookEvent.ts';
import { fold, isIdle, type Shown } from './webhookStory.ts';

/** What was done to a record and polled of it, and what was pushed: the two sides of one story. */
export interface Tale {
  readonly checkinId: string;
  /** All that polling showed, in order; the subscribe's answer first. */
  readonly polled: readonly Shown[];
  /** Changes of status that automation made, each of which has to be pushed. */
  readonly moves: readonly { readonly from: Shown; readonly to: Shown }[];
  /** Updates that were accepted, each of which may be pushed. */
  readonly updates: number;
  /** Events that name the record, each once, wherever they came. */
  readonly events: readonly WebhookEvent[];
  /** Deliveries came of which nothing was read, or more may still come. */
  readonly isPartial: boolean;
}

/** Whatever was pushed had been polled or is polled then (WCI-CB-020). */
export function tellsTheTruth({ events, polled }: Tale): Judgement {
  for (const event of events) {
    if (polled.some((shown) => isIdle(event, shown) || tellsNothing(event))) continue;
    return violated(
      'never-polled',
      'changes as status showed them at some time',
      describeValue(event.changes),
    );
  }
  return holds;
}

/** Every state change was pushed (WCI-CB-021). */
export function tellsEverything({ moves, events, isPartial }: Tale): Judgement {
  for (const { from, to } of moves) {
    if (events.some((event) => event.changes.status === to.status && isIdle(event, to))) continue;
    const change = `${describeValue(from.status)} → ${describeValue(to.status)}`;
    if (isPartial) return unclear(`the callback of ${change} may have been lost on the way`);
    return violated(
      'silent',
      `a callback of ${change}`,
      `${events.length} callbacks of the request, none of which tells it`,
    );
  }
  return holds;
}

/** Nothing was pushed without a change, but for the creation and updates, which may be (WCI-CB-015). */
export function tellsNothingTwice({ events, polled, updates, isPartial }: Tale): Judgement {
  if (isPartial) return unclear('a callback may have been lost on the way');
  let known: Partial<Shown> = polled[0] ?? {};
  const idle: WebhookEvent[] = [];
  for (const event of inOrder(events)) {
    if (isIdle(event, known)) idle.push(event);
    known = { ...known, ...fold([event]) };
  }
  const stray = idle[1 + updates];
  if (!stray) return holds;
  return violated('idle', 'no callback where nothing changed', describeValue(stray.changes));
}

function inOrder(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  return [...events].sort((a, b) => (a.occurredAt ?? 0) - (b.occurredAt ?? 0));
}

/** The form of an event is judged elsewhere. */
function tellsNothing({ changes }: WebhookEvent): boolean {
  return changeFields.every((field) => changes[field] === undefined);
}
