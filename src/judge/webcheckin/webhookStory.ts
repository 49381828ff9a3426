import type { Delivery, Exchange } from '../../core/evidence.ts';
import { isObject, objectOf, type Json, type JsonObject } from '../kernel/body.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';
import { updatedRecord } from './readiness.ts';
import { describeValue } from '../kernel/rule.ts';
import { changeFields, eventOf, type WebhookEvent } from './webhookEvent.ts';

/** The fields that a status webhook may tell, as an answer shows them; null where it shows none. */
export type Shown = Readonly<Record<Field, Json>>;

type Field = (typeof changeFields)[number];

/** A change of a record: what was polled on both sides of it, and the events that came since. */
export interface Change {
  readonly before: Shown;
  readonly after: Shown;
  readonly events: readonly WebhookEvent[];
  /** Whether no more can come: only then does an absence mean anything. */
  readonly isOver: boolean;
}

/** What an answer shows of a record; null where it shows none. A subscribe calls the message status_message. */
export function shownBy(exchange: Exchange): Shown | null {
  const body = exchange.operation === 'wci.update' ? updatedRecord(objectOf(exchange)) : objectOf(exchange);
  if (!body || typeof body.status !== 'string') return null;
  const message = exchange.operation === 'wci.subscribe' ? body.status_message : body.checkin_message;
  return {
    status: body.status,
    sub_status: body.sub_status ?? null,
    checkin_message: message ?? null,
    missing_info: body.missing_info ?? [],
    boarding_passes: body.boarding_passes ?? [],
  };
}

/** The events of deliveries, each once: a queue may deliver one more often. */
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
  return canonical([checkinId, occurredAt, sent]);
}

/** The fields that differ between two answers. */
export function changedFields(before: Shown, after: Shown): readonly Field[] {
  return changeFields.filter((field) => !equal(before[field], after[field]));
}

/** What several events say together; arrival in order is not promised, so the later occurredAt wins. */
export function fold(events: readonly WebhookEvent[]): Partial<Shown> {
  const ordered = events
    .map((event, index) => ({ event, index }))
    .sort((a, b) => (a.event.occurredAt ?? 0) - (b.event.occurredAt ?? 0) || a.index - b.index);
  return Object.assign({}, ...ordered.map(({ event }) => told(event.changes))) as Partial<Shown>;
}

/** A state change is pushed, whatever the event says of it. */
export function isPushed({ before, after, events, isOver }: Change): Judgement {
  if (events.length > 0) return holds;
  if (!isOver) return unclear(`no callback came of ${show(before.status)} → ${show(after.status)} in time`);
  return violated('silent', `a callback of ${show(before.status)} → ${show(after.status)}`, 'none');
}

/** The fields that changed are told, and not with the values that they had before. */
export function tellsChanges(change: Change): Judgement {
  const { before, after, events } = change;
  if (events.length === 0) return unclear('no callback came');
  const pushed = fold(events);
  for (const field of changedFields(before, after)) {
    const value = pushed[field];
    if (value === undefined && !change.isOver) return unclear(`changes.${field} may still come`);
    if (value === undefined)
      return violated('absent', `changes.${field} ${show(after[field])}`, `changes without ${field}`);
    if (equal(value, before[field]))
      return violated('old', `changes.${field} ${show(after[field])}`, `${show(value)}, as before`);
  }
  return holds;
}

/** What is told is what status then shows. */
export function agreesWith({ after, events }: Change): Judgement {
  if (events.length === 0) return unclear('no callback came');
  const pushed = fold(events);
  const field = changeFields.find((name) => pushed[name] !== undefined && !equal(pushed[name], after[name]));
  return field === undefined
    ? holds
    : violated(
        field,
        `changes.${field} ${show(after[field])}, as status shows`,
        `changes.${field} ${show(pushed[field])}`,
      );
}

/** Only what changed is told; `status` along with it and a whole snapshot are other readings of the documents. */
export function tellsNoMore({ before, after, events }: Change): Judgement {
  if (events.length !== 1) return events.length === 0 ? unclear('no callback came') : holds;
  const pushed = fold(events);
  const changed = changedFields(before, after);
  const there = changeFields.filter((field) => pushed[field] !== undefined);
  const extra = there.filter((field) => !changed.includes(field) && field !== 'status');
  const isWhole = there.length === changeFields.length;
  if (extra.length === 0 || isWhole) return holds;
  return violated('extra', `changes with ${changed.join(', ')}`, `${extra.join(', ')} as well`);
}

/** Completion is told with its status, its sub_status and the boarding passes. */
export function tellsCompletion({ after, events, isOver }: Change): Judgement {
  const isShown =
    after.status === 'COMPLETED' && after.sub_status === 'BOARDING_PASS_AVAILABLE' && isFilled(after);
  if (!isShown) return unclear('status does not show the completion');
  if (events.length === 0 && !isOver) return unclear('no callback came in time');
  const pushed = fold(events);
  const isWhole =
    pushed.status === 'COMPLETED' && pushed.sub_status === 'BOARDING_PASS_AVAILABLE' && isFilled(pushed);
  if (isWhole) return holds;
  const expected = 'COMPLETED, BOARDING_PASS_AVAILABLE and boarding passes';
  return violated('completion', expected, events.length === 0 ? 'no callback' : describeValue(pushed));
}

/** How `changes` relates to what changed (WCI-OPN-022); null where one event does not tell. */
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

/** Whether an event tells something, and nothing that was not known. */
export function isIdle(event: WebhookEvent, known: Partial<Shown>): boolean {
  const pushed = told(event.changes);
  const there = changeFields.filter((field) => pushed[field] !== undefined);
  return there.length > 0 && there.every((field) => equal(pushed[field], known[field]));
}

function told(changes: JsonObject): Partial<Shown> {
  const there = changeFields.filter((field) => changes[field] !== undefined);
  return Object.fromEntries(there.map((field) => [field, changes[field] ?? null]));
}

function isFilled(shown: Partial<Shown>): boolean {
  return Array.isArray(shown.boarding_passes) && shown.boarding_passes.length > 0;
}

/** No boarding passes may be shown as null, as an empty list, or not at all; and each time with another signature. */
function equal(one: Json | undefined, other: Json | undefined): boolean {
  return canonical(unsigned(one ?? [])) === canonical(unsigned(other ?? []));
}

/** URLs without their query, which an object store may make anew for each answer. */
function unsigned(value: Json): Json {
  if (!Array.isArray(value)) return value;
  return (value as readonly Json[]).map((item) =>
    typeof item === 'string' && /^https?:/i.test(item) ? item.replace(/[?#].*$/s, '') : item,
  );
}

/** JSON with the members of objects in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function show(value: Json | undefined): string {
  return describeValue(value);
}
