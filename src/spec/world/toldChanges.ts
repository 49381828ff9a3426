import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../trace/json.ts';
import { canonical, equalField, plainField } from '../kit/equalField.ts';
import type { Shown } from './hookedRecord.ts';
import { changeFields, eventOf, type WebhookEvent } from './webhookEvent.ts';

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
  const plain = ([name, value]: readonly [string, Json | undefined]) =>
    [name, plainField(name, value)] as const;
  const said = isObject(sent) ? Object.fromEntries(Object.entries(sent).map(plain)) : sent;
  return canonical([checkinId, occurredAt, said ?? null]);
}

/** No boarding passes may be shown as null, as an empty list, or not at all. */
export function isEqual(field: Field, one: Json | undefined, other: Json | undefined): boolean {
  return equalField(field, one ?? [], other ?? []);
}

/** Whether an event tells what an answer shows: items of missing information may have members in one that the other lacks. */
export function isToldAs(field: Field, told: Json | undefined, shown: Json | undefined): boolean {
  if (isEqual(field, told, shown)) return true;
  if (field !== 'missing_info' || !Array.isArray(told) || !Array.isArray(shown)) return false;
  const left = [...(shown as readonly Json[])];
  const isThere = (item: Json): boolean => {
    const at = left.findIndex((other) => shareMembers(item, other));
    return at >= 0 && left.splice(at, 1).length > 0;
  };
  return told.length === shown.length && (told as readonly Json[]).every(isThere);
}

function shareMembers(one: Json, other: Json): boolean {
  if (!isObject(one) || !isObject(other)) return equalField('missing_info', [one], [other]);
  const shared = Object.keys(one).filter((name) => other[name] !== undefined);
  const isSame = (name: string) => equalField('missing_info', [one[name] ?? null], [other[name] ?? null]);
  return shared.length > 0 && shared.every(isSame);
}

/** The fields that differ between two answers. */
export function changedFields(before: Shown, after: Shown): readonly Field[] {
  return changeFields.filter((field) => !isEqual(field, before[field], after[field]));
}

/** The fields that an event tells. */
export function fieldsOf(changes: JsonObject | Partial<Shown>): readonly Field[] {
  return changeFields.filter((field) => changes[field] !== undefined);
}

/** What several events say together; arrival in order is not promised, so the later occurredAt wins. */
export function fold(events: readonly WebhookEvent[]): Partial<Shown> {
  return foldInOrder(ordersOf(events)[0] ?? events);
}

export function foldInOrder(events: readonly WebhookEvent[]): Partial<Shown> {
  return Object.assign({}, ...events.map(({ changes }) => reportedFields(changes))) as Partial<Shown>;
}

function reportedFields(changes: JsonObject): Partial<Shown> {
  return Object.fromEntries(fieldsOf(changes).map((field) => [field, changes[field] ?? null]));
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
  const timeOf = (event: WebhookEvent | undefined) => event?.occurredAt ?? 0;
  const ordered: WebhookEvent[] = [];
  for (const event of events) {
    let place = ordered.length;
    while (place > 0 && timeOf(ordered[place - 1]) > timeOf(event) + slackMs) place -= 1;
    ordered.splice(place, 0, event);
  }
  return ordered;
}

/** The same without the text for people, whose words may differ wherever it is shown. */
export function withoutText(change: Change): Change {
  const plain = (shown: Shown): Shown => ({ ...shown, checkin_message: null });
  const { before, after, events } = change;
  return { ...change, before: plain(before), after: plain(after), events: events.map(textless) };
}

/** An event whose text for people, if there is one, is null. */
export function textless(event: WebhookEvent): WebhookEvent {
  const { changes } = event;
  if (changes.checkin_message === undefined) return event;
  return { ...event, changes: { ...changes, checkin_message: null } };
}

/** Whether an event has nothing but a text for people, which says nothing that can be compared. */
export function tellsOnlyText({ changes }: WebhookEvent): boolean {
  return isDeepStrictEqual(fieldsOf(changes), ['checkin_message']);
}

/** Whether an event has values, all of them known before. */
export function isIdle({ changes }: WebhookEvent, known: Partial<Shown>): boolean {
  const there = fieldsOf(changes);
  return there.length > 0 && there.every((field) => isEqual(field, changes[field], known[field]));
}

/** The events that say nothing new, if they were made in this order. */
export function idleIn(ordered: readonly WebhookEvent[], start: Partial<Shown>): readonly WebhookEvent[] {
  let known = start;
  return ordered.filter((event) => {
    const isOld = isIdle(event, known);
    known = { ...known, ...reportedFields(event.changes) };
    return isOld;
  });
}

/** A change of which the passes count and their URLs do not: these may be made anew wherever they are shown. */
export function withoutPassUrls(change: Change): Change {
  const { before, after, events } = change;
  return { ...change, before: counted(before), after: counted(after), events: events.map(countedIn) };
}

export function counted(shown: Shown): Shown {
  return { ...shown, boarding_passes: anonymous(shown.boarding_passes) };
}

export function countedIn(event: WebhookEvent): WebhookEvent {
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

/** How much two times of one deployment may contradict each other: clocks of machines differ by 2 s, and times may be cut to seconds. */
export const clockSlackMs = 3_000;
