import {
  type CheckContext,
  type Delivery,
  type Judgement,
  type ScriptedAnswer,
  type WebhookEvent,
  answerStatus,
  clockSlackMs,
  eventOf,
  holds,
  unclear,
  violated,
} from '../checks.ts';
import { progress } from './movements.ts';
import { type Made, toldWhen } from './retries.ts';
import type { Hooked } from './webhooks.ts';

/** The changes that are made while the delivery of an earlier one is to be repeated. */
const laterStatuses = ['FAILED', 'COMPLETED'] as const;

/** Seconds after which no clock of the deployment tells the time of the first change any more. */
export const apartSeconds = Math.ceil(clockSlackMs / 1000) + 2;

interface Queueing {
  /** How the delivery of the first change is answered. */
  readonly failure: ScriptedAnswer;
  /** Waits between the first change and the others. */
  readonly pause: () => Promise<unknown>;
  /** The deployment's time. */
  readonly now: () => Promise<number>;
}

/** Makes a change whose delivery fails, and two more before it can be repeated; from then on deliveries are accepted. */
export async function changeWhileRetried(
  t: CheckContext,
  hook: Hooked,
  { failure, pause, now }: Queueing,
): Promise<Made> {
  const { mailbox } = hook.address;
  const from = mailbox.deliveries.length;
  mailbox.answerWith([failure]);
  await progress(t, hook, { status: 'IN_PROGRESS' });
  await t.callbacks.wait(hook.address, (all) => all.length > from, { patienceMs: 15_000 });
  await pause();
  const after = await now();
  for (const status of laterStatuses) await progress(t, hook, { status });
  const before = await now();
  mailbox.answerWith([answerStatus(202)]);
  return { after, before };
}

/** The status of a later change that no delivery tells; an address that takes none any more was given up, which is another rule. */
export function lostOf(come: readonly Delivery[]): string | null {
  const told = statusesOf(come);
  if (!come.some(isTaken)) return null;
  return laterStatuses.find((status) => !told.includes(status)) ?? null;
}

/** Each change is pushed, also those made while an earlier delivery is to be repeated. */
export function losesNone(come: readonly Delivery[], isSure: boolean): Judgement {
  const lost = lostOf(come);
  if (lost === null) return holds;
  if (!isSure) return unclear(`the event with status ${lost} may still come`);
  const [first] = come;
  return violated(
    'lost',
    `an event with status ${lost}, the change made while the delivery answered ${first?.answer ?? ''} was to be repeated`,
    `events with status ${[...new Set(statusesOf(come))].join(', ')}`,
    come.toReversed(),
  );
}

/** What a delivery tells of a later change has the time of that change. */
export function toldAsLate(come: readonly Delivery[], made: Made): Judgement {
  const isLater = (status: unknown) => laterStatuses.some((later) => later === status);
  const late = come.filter((delivery) => isLater(eventOf(delivery)?.changes.status));
  return late.length === 0 ? holds : toldWhen(late, made);
}

/** The deliveries of the change that was told first: those of its time. */
export function ofFirstTime(come: readonly Delivery[]): readonly Delivery[] {
  const at = come[0] && eventOf(come[0])?.occurredAt;
  return at == null ? [] : come.filter((delivery) => eventOf(delivery)?.occurredAt === at);
}

/**
 * The fields that the first delivery of a change reported are in the one that was accepted. Not if one change is told in
 * several events, of which one may have been given up.
 */
export function keepsFields(come: readonly Delivery[]): Judgement {
  const [first, ...others] = ofFirstTime(come).flatMap((delivery) => eventOf(delivery) ?? []);
  const taken = others.filter(({ delivery }) => isTaken(delivery));
  if (!first || taken.length === 0) return holds;
  const told = taken.flatMap(fieldsOf);
  const lost = fieldsOf(first).find((field) => !told.includes(field));
  if (lost === undefined) return holds;
  return violated(
    'not-repeated',
    `changes.${lost} ${JSON.stringify(first.changes[lost])}, as in the delivery answered ${first.delivery.answer}`,
    `changes without ${lost}, in the delivery that was accepted`,
    [first, ...taken.slice(0, 1)].map(({ delivery }) => delivery),
  );
}

function fieldsOf({ changes }: WebhookEvent): readonly string[] {
  return Object.keys(changes);
}

function statusesOf(come: readonly Delivery[]): readonly string[] {
  const statuses = come.map((delivery) => eventOf(delivery)?.changes.status);
  return statuses.filter((status) => typeof status === 'string');
}

/** Whether an answer counts as success (Web Check-in, Events 2). */
export function isTaken({ answer }: Delivery): boolean {
  return answer.startsWith('2');
}
