import type { Blame } from '../../spec/kernel/blame.ts';
import type { OwedEvents } from '../../spec/world/events.ts';
import type { Arrival, HookedRecord } from '../../spec/world/hookedRecord.ts';
import type { Judgement } from '../kernel/judgement.ts';
import { sampleOf, type Sample } from '../kernel/sample.ts';
import { changeFields, eventOf, type WebhookEvent } from '../../spec/world/webhookEvent.ts';
import { nameOf } from './webhookOrder.ts';

/** An event, with its deliveries in the order of their arrival. */
export interface Told {
  readonly event: WebhookEvent;
  readonly arrivals: readonly Arrival[];
  /** When it came first, in epoch milliseconds. */
  readonly at: number;
}

/** What is known, and what is said of it. */
export interface Judged {
  readonly world: OwedEvents;
  readonly blame: Blame;
  readonly said: Sample[];
}

/** The events of a record, each once. */
export function toldOf({ deliveries }: HookedRecord): readonly Told[] {
  const told = new Map<string, { event: WebhookEvent; arrivals: Arrival[]; at: number }>();
  for (const arrival of deliveries) {
    const event = eventOf(arrival.delivery);
    if (!event) continue;
    const known = told.get(nameOf(event));
    if (known) known.arrivals.push(arrival);
    else told.set(nameOf(event), { event, arrivals: [arrival], at: arrival.delivery.receivedAt });
  }
  return [...told.values()];
}

/** Each member that changed has an event of its own, so that they cannot be told apart from those of another change. */
export function isSplit(told: readonly Told[]): boolean {
  return told.some(
    ({ event: { changes } }) => changeFields.filter((name) => changes[name] !== undefined).length === 1,
  );
}

/** Whether a delivery was not answered 2xx. */
export function isRefused(arrival: Arrival | undefined): boolean {
  return arrival !== undefined && !arrival.delivery.answer.startsWith('2');
}

/** A violation that rests on all that was done before. */
export function broken(rule: string, judgement: Judgement, evidence: Sample['evidence'] & object): Sample {
  const known =
    judgement.status === 'violated' && !judgement.code.startsWith('known:')
      ? { ...judgement, code: `known:${judgement.code}` }
      : judgement;
  return { ...sampleOf(rule, known), evidence };
}
