import {
  type CheckContext,
  type Delivery,
  type Judgement,
  type Script,
  type WebhookEvent,
  answerStatus,
  clockSlackMs,
  eventOf,
  holds,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { progress } from './movements.ts';
import { type Made, toldWhen } from './retries.ts';
import type { Hooked } from './webhooks.ts';

/** The changes that are made while the delivery of an earlier one is to be repeated. */
const laterStatuses = ['FAILED', 'COMPLETED'] as const;

/** Seconds after which no clock of the deployment tells the time of the first change any more. */
export const apartSeconds = Math.ceil(clockSlackMs / 1000) + 1;

interface Queueing {
  /** How the deliveries of the first change are answered until the others are made. */
  readonly script: Script;
  /** Waits between the first change and the others. */
  readonly pause: () => Promise<unknown>;
  /** The deployment's time. */
  readonly now: () => Promise<number>;
}

/** Makes a change whose delivery fails, and two more before it can be repeated; from then on deliveries are accepted. */
export async function changeWhileRetried(
  t: CheckContext,
  hook: Hooked,
  { script, pause, now }: Queueing,
): Promise<Made> {
  const { mailbox } = hook.address;
  const from = mailbox.deliveries.length;
  mailbox.answerWith(script);
  await progress(t, hook, { status: 'IN_PROGRESS' });
  await t.callbacks.wait(hook.address, (all) => all.length > from, { patienceMs: 15_000 });
  await pause();
  mailbox.answerWith([answerStatus(202)]);
  const after = await now();
  for (const status of laterStatuses) await progress(t, hook, { status });
  return { after, before: await now() };
}

/**
 * The status of a later change that no delivery tells, although it is told elsewhere. After several failures, or where nothing is
 * accepted, the address may have been given up, which is another rule.
 */
export function lostOf(come: readonly Delivery[], elsewhere: readonly Delivery[]): string | null {
  if (!come.some(isTaken) || come.filter((one) => !isTaken(one)).length > 1) return null;
  const [told, known] = [statusesOf(come), statusesOf(elsewhere)];
  return laterStatuses.find((status) => known.includes(status) && !told.includes(status)) ?? null;
}

/** Each change is pushed, also those made while an earlier delivery is to be repeated. */
export function losesNone(come: readonly Delivery[], lost: string | null, isSure: boolean): Judgement {
  if (lost === null) return holds;
  if (!isSure) return unclear(`the event with status ${lost} may still come`);
  const [first] = come;
  const note = `changed while the delivery answered ${first?.answer ?? ''} was to be repeated`;
  const told = [...new Set(statusesOf(come))];
  return differs('lost', 'changes.status', is.value(lost, note), told, come.toReversed());
}

/** One delivery that is refused ends nothing: what is told elsewhere later is told here as well. */
export function endsNothing(come: readonly Delivery[], elsewhere: readonly Delivery[]): Judgement {
  const [first] = come;
  const known = statusesOf(elsewhere);
  const later = laterStatuses.find((status) => known.includes(status));
  if (!first || come.length > 1 || isTaken(first) || later === undefined) return holds;
  const want = is.telling({ status: later }, `after one delivery that was answered ${first.answer}`);
  return differs('silence', 'callback', want, is.absent, come);
}

/** What a delivery tells of a later change has the time of that change. */
export function toldAsLate(come: readonly Delivery[], made: Made): Judgement {
  const late = come.filter((delivery) => isLater(eventOf(delivery)?.changes.status));
  const asked = late.filter((delivery) => !isOfAutomation(delivery, come, made));
  return asked.length === 0 ? holds : toldWhen(asked, made);
}

const isLater = (status: unknown) => laterStatuses.some((later) => later === status);

/** Automation may come to a status by itself before: at a time that no other change has, and what was asked for is told as well. */
function isOfAutomation(delivery: Delivery, come: readonly Delivery[], made: Made): boolean {
  const event = eventOf(delivery);
  const events = come.flatMap((one) => eventOf(one) ?? []);
  const hasOwnTime = events.every(
    ({ occurredAt, changes }) => isLater(changes.status) || occurredAt !== event?.occurredAt,
  );
  const alike = come.filter((one) => eventOf(one)?.changes.status === event?.changes.status);
  return hasOwnTime && alike.some((one) => toldWhen([one], made).status === 'holds');
}

/** The deliveries of the change that was told first: those of its time, unless it came again as it was, and others may be of others. */
export function ofFirstTime(come: readonly Delivery[]): readonly Delivery[] {
  const first = come[0] && eventOf(come[0]);
  if (first?.occurredAt == null) return [];
  const ofTime = come.filter((delivery) => eventOf(delivery)?.occurredAt === first.occurredAt);
  const alike = ofTime.filter((delivery) => eventOf(delivery)?.changes.status === first.changes.status);
  return alike.length > 1 ? alike : ofTime;
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
  const want = is.value(first.changes[lost], `as in the delivery answered ${first.delivery.answer}`);
  const got = is.noted(is.absent, 'in the delivery that was accepted');
  const because = [first, ...taken.slice(0, 1)].map(({ delivery }) => delivery);
  return differs('not-repeated', `changes.${lost}`, want, got, because);
}

/** The deliveries that are about a record, or do not say which. */
export function ownOf({ record }: Hooked, deliveries: readonly Delivery[]): readonly Delivery[] {
  return deliveries.filter((one) => [null, record.checkinId].includes(eventOf(one)?.checkinId ?? null));
}

/** A webhook whose deliveries failed is told what happens later; how is a matter of other rules. */
export async function judgeLater(t: CheckContext, hook: Hooked): Promise<void> {
  const { address, record } = hook;
  const { mailbox } = address;
  const from = mailbox.deliveries.length;
  await progress(t, hook, { status: 'COMPLETED' });
  const waited = await t.callbacks.wait(address, (all) => all.length > from);
  const isNever = waited === 'nothing-pending';
  const silence = isNever
    ? differs(
        'silence',
        'callback',
        is.telling({ status: 'COMPLETED' }, 'after the ones that failed'),
        is.absent,
      )
    : unclear('it may still come');
  t.judge([record.subscribed, ...mailbox.deliveries], {
    'WCI-CB-080': waited === 'come' ? holds : silence,
  });
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
