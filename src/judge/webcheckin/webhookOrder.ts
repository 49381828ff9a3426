import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import type { Shown } from '../../spec/world/shown.ts';
import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import { holds, unclear, type Judgement, differs } from '../kernel/judgement.ts';
import { clockSlackMs } from '../../spec/world/clockSlack.ts';
import { canonical, equalField, plainField } from '../../spec/kit/equalField.ts';
import { describeValue } from '../kernel/rule.ts';
import * as is from '../../spec/kernel/value.ts';
import { changeFields, eventOf, type WebhookEvent } from '../../spec/world/webhookEvent.ts';

type Field = (typeof changeFields)[number];

/** A change of a record: what was polled on both sides of it, and the events that came since. */
export interface Change {
  readonly before: Shown;
  readonly after: Shown;
  readonly events: readonly WebhookEvent[];
  /** Whether no more can come: only then is a missing event a violation. */
  readonly isOver: boolean;
}

/** The events of deliveries, each once: a queue may deliver one several times. */
export function distinctEvents(deliveries: readonly Delivery[]): readonly WebhookEvent[] {
  const seen = new Map<string, WebhookEvent>();
  for (const delivery of deliveries) {
    const event = eventOf(delivery);
    if (event && !seen.has(nameOf(event))) seen.set(nameOf(event), event);
  }
  return [...seen.values()];
}

/** The same for every delivery of one event. */
export function nameOf({ checkinId, occurredAt, sent }: WebhookEvent): string {
  const said = isObject(sent) ? mapValues(sent, plainField) : sent;
  return canonical([checkinId, occurredAt, said ?? null]);
}

function mapValues(
  object: JsonObject,
  change: (name: string, value: Json | undefined) => Json | undefined,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]));
}

/** The fields that differ between two answers. */
function changedFields(before: Shown, after: Shown): readonly Field[] {
  return changeFields.filter((field) => !equal(field, before[field], after[field]));
}

/** What several events say together; arrival in order is not promised, so the later occurredAt wins. */
export function fold(events: readonly WebhookEvent[]): Partial<Shown> {
  return foldInOrder(ordersOf(events)[0] ?? events);
}

/**
 * The orders in which events may have been made: by occurredAt; as they arrived, where two clocks explain their times;
 * and those of one time the other way round, as it may be kept in whole seconds.
 */
export function ordersOf(events: readonly WebhookEvent[]): readonly (readonly WebhookEvent[])[] {
  const byTime = sorted(events, 0);
  const others = [sorted(events, clockSlackMs), sorted(events.toReversed(), 0)];
  return [byTime, ...others.filter((other) => !isDeepStrictEqual(other, byTime))];
}

/** An event goes before those that came earlier and are later by more than the slack. */
function sorted(events: readonly WebhookEvent[], slackMs: number): readonly WebhookEvent[] {
  const ordered: WebhookEvent[] = [];
  for (const event of events) {
    let place = ordered.length;
    while (place > 0 && timeOf(ordered[place - 1]) > timeOf(event) + slackMs) place -= 1;
    ordered.splice(place, 0, event);
  }
  return ordered;
}

function timeOf(event: WebhookEvent | undefined): number {
  return event?.occurredAt ?? 0;
}

function foldInOrder(events: readonly WebhookEvent[]): Partial<Shown> {
  return Object.assign({}, ...events.map(({ changes }) => reportedFields(changes))) as Partial<Shown>;
}

/** Events are judged together in every order in which they may have been made: one order that keeps the rule suffices. */
function inSomeOrder(
  events: readonly WebhookEvent[],
  judge: (pushed: Partial<Shown>) => Judgement,
): Judgement {
  const judged = ordersOf(events).map((ordered) => judge(foldInOrder(ordered)));
  return judged.find(({ status }) => status !== 'violated') ?? judged[0] ?? judge({});
}

/** The same without the text for people, whose words may differ wherever it is shown. */
export function withoutText(change: Change): Change {
  const { before, after, events } = change;
  return {
    ...change,
    before: { ...before, checkin_message: null },
    after: { ...after, checkin_message: null },
    events: events.map(textless),
  };
}

/** An event whose text for people, if there is one, is null. */
export function textless(event: WebhookEvent): WebhookEvent {
  const { changes } = event;
  if (changes.checkin_message === undefined) return event;
  return { ...event, changes: { ...changes, checkin_message: null } };
}

/** Whether an event has nothing but a text for people, which says nothing that can be compared. */
export function tellsOnlyText({ changes }: WebhookEvent): boolean {
  return changeFields.every((field) => (changes[field] !== undefined) === (field === 'checkin_message'));
}

/** A state change is pushed, whatever the event says about it. */
export function isPushed({ before, after, events, isOver }: Change): Judgement {
  if (events.length > 0) return holds;
  if (changedFields(before, after).length === 0) return unclear('nothing changed that could be pushed');
  if (!isOver) return unclear(`no callback of ${show(before.status)} → ${show(after.status)} came in time`);
  return differs('silent', 'callback', is.change(before.status, after.status), is.absent);
}

/** The fields that changed are reported, and not with the values that they had before. */
export function tellsChanges(change: Change): Judgement {
  const { events } = change;
  if (events.length === 0) return unclear('no callback came');
  return inSomeOrder(events, (pushed) => tellsChangesIn(pushed, change));
}

function tellsChangesIn(pushed: Partial<Shown>, { before, after, isOver }: Change): Judgement {
  for (const field of changedFields(before, after)) {
    const value = pushed[field];
    if (value === undefined && !isOver) return unclear(`changes.${field} may still come`);
    if (value === undefined) return differs('absent', `changes.${field}`, is.value(after[field]), is.absent);
    if (!equal(field, value, before[field])) continue;
    // An earlier event may be late, and that of the change still to come.
    if (!isOver) return unclear(`another changes.${field} may still come`);
    return differs('old', `changes.${field}`, is.value(after[field]), is.value(value, 'as before'));
  }
  return holds;
}

/** A new text for people counts as a changed field if status shows it, in whatever words the event has it. */
export function tellsText({ before, after, events, isOver }: Change, given: string): Judgement {
  const isShown = after.checkin_message === given && before.checkin_message !== given;
  if (!isShown || events.length === 0 || !isOver)
    return unclear('no other text is shown, or no callback came');
  if (fold(events).checkin_message !== undefined) return holds;
  return differs('absent', 'changes.checkin_message', given, is.absent);
}

/** Reported values are what status then shows. An earlier event may be late, and the latest still to come. */
export function agreesWith({ after, events, isOver }: Change): Judgement {
  if (events.length === 0) return unclear('no callback came');
  const said = inSomeOrder(events, (pushed) => agreesIn(pushed, after));
  return said.status === 'violated' && !isOver ? unclear('the latest callback may still come') : said;
}

function agreesIn(pushed: Partial<Shown>, after: Shown): Judgement {
  const field = changeFields.find(
    (name) => pushed[name] !== undefined && !equal(name, pushed[name], after[name]),
  );
  if (field === undefined) return holds;
  const want = is.value(after[field], 'as status shows');
  return differs(field, `changes.${field}`, want, is.value(pushed[field]));
}

/** Only what changed is reported; `status` along with it and a whole snapshot are other readings of the documents. */
export function tellsNoMore({ before, after, events, isOver }: Change): Judgement {
  if (!isOver) return unclear('the callback of the change may still come');
  if (events.length !== 1) return events.length === 0 ? unclear('no callback came') : holds;
  const pushed = fold(events);
  const changed = changedFields(before, after);
  const there = changeFields.filter((field) => pushed[field] !== undefined);
  // A text that is left out of the comparison may have changed.
  const mayCome = ['status', ...(after.checkin_message === null ? ['checkin_message'] : [])];
  const extra = there.filter((field) => !changed.includes(field) && !mayCome.includes(field));
  const isWhole = there.length === changeFields.length;
  if (extra.length === 0 || isWhole) return holds;
  return differs('extra', 'changes', changed, is.value(extra, 'as well'));
}

/** Completion is reported with its status, its sub_status and the boarding passes. */
export function tellsCompletion({ after, events, isOver }: Change): Judgement {
  const isShown =
    after.status === 'COMPLETED' && after.sub_status === 'BOARDING_PASS_AVAILABLE' && isFilled(after);
  if (!isShown) return unclear('status does not show the completion');
  return inSomeOrder(events, (pushed) => {
    const isWhole =
      pushed.status === 'COMPLETED' && pushed.sub_status === 'BOARDING_PASS_AVAILABLE' && isFilled(pushed);
    if (isWhole) return holds;
    if (!isOver) return unclear('no callback of the completion came in time');
    const whole = { status: 'COMPLETED', sub_status: 'BOARDING_PASS_AVAILABLE' };
    // The text for people may have been left out of the comparison.
    const { status, sub_status, boarding_passes } = pushed;
    const told = is.telling({ status, sub_status, boarding_passes });
    const want = is.telling(whole, 'and boarding passes');
    return differs('completion', 'callback', want, events.length === 0 ? is.absent : told);
  });
}

/** How `changes` relates to what changed (WCI-OPN-022); null if one event does not show it. */
export function changesForm({ before, after, events }: Change): string | null {
  const [event, ...others] = events;
  if (!event || others.length > 0) return null;
  const changed = changedFields(before, after);
  const there = changeFields.filter((field) => event.changes[field] !== undefined);
  if (changed.length === 0 || changed.length === changeFields.length) return null;
  if (there.length === changeFields.length) return 'all-five';
  if (!changed.every((field) => there.includes(field))) return null;
  if (there.length === changed.length) return changed.includes('status') ? null : 'changed-only';
  return there.every((field) => changed.includes(field) || field === 'status') ? 'changed-and-status' : null;
}

/** Whether an event has values, all of them known before. */
export function isIdle(event: WebhookEvent, known: Partial<Shown>): boolean {
  const pushed = reportedFields(event.changes);
  const there = changeFields.filter((field) => pushed[field] !== undefined);
  return there.length > 0 && there.every((field) => equal(field, pushed[field], known[field]));
}

function reportedFields(changes: JsonObject): Partial<Shown> {
  const there = changeFields.filter((field) => changes[field] !== undefined);
  return Object.fromEntries(there.map((field) => [field, changes[field] ?? null]));
}

function isFilled(shown: Partial<Shown>): boolean {
  return Array.isArray(shown.boarding_passes) && shown.boarding_passes.length > 0;
}

/** No boarding passes may be shown as null, as an empty list, or not at all. */
function equal(field: Field, one: Json | undefined, other: Json | undefined): boolean {
  return equalField(field, one ?? [], other ?? []);
}

function show(value: Json | undefined): string {
  return describeValue(value);
}
