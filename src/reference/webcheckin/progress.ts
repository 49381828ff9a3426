import type { CallbackQueue } from '../callbacks/queue.ts';
import type { DeploymentClock } from '../shared/deploymentClock.ts';
import type { Moment } from '../shared/moment.ts';
import { type WebCheckinPolicy } from './policy.ts';
import type { Cause, Idle, ProgressField, Missing, ToldChange, ToldChanges } from './policyTerms.ts';
import type { AttemptStore } from './attempts.ts';
import type { Attempt, Callback, Progress, Status } from './records.ts';

/** What moving an attempt needs. */
export interface Mover {
  readonly policy: WebCheckinPolicy;
  readonly clock: DeploymentClock;
  readonly queue: CallbackQueue;
  readonly attempts: AttemptStore;
  readonly moment: () => Moment;
}

/** Gives an attempt a new progress and emits the webhook event that follows (Events); no change, no event. */
export function moveAttempt(attempt: Attempt, next: Progress, cause: Cause, mover: Mover): void {
  const before = progressFields(attempt.progress);
  const after = progressFields(next);
  const changed = progressFieldNames.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) {
    if (cause === 'automation') announceIdle(attempt, 'same progress', mover);
    return;
  }
  const step = { attempt, before: attempt.progress, after: next };
  attempt.progress = next;
  attempt.revision += 1;
  if (cause === 'automation') {
    const { policy, moment } = mover;
    const writtenAt = policy.writtenAt(moment(), 'updated', attempt.createdAt);
    attempt.updatedAt = policy.automatedAt(writtenAt, changed) ?? attempt.updatedAt;
  }
  if (mover.policy.emits(cause, changed, step)) pushEvent(attempt, { changed, before }, mover);
}

/** An event with all fields of an attempt, for deployments that count its creation as a change. */
export function announceCreation(attempt: Attempt, mover: Mover): void {
  const step = { attempt, before: attempt.progress, after: attempt.progress };
  if (mover.policy.emits('creation', progressFieldNames, step)) announce(attempt, mover);
}

/** An event although nothing changed, for deployments that send one by mistake. */
export function announceIdle(attempt: Attempt, idle: Idle, mover: Mover): void {
  if (mover.policy.announcesIdle(idle)) announce(attempt, mover);
}

function announce(attempt: Attempt, mover: Mover): void {
  pushEvent(attempt, { changed: progressFieldNames, before: progressFields(attempt.progress) }, mover);
}

export const progressFieldNames = [
  'status',
  'sub_status',
  'checkin_message',
  'missing_info',
  'boarding_passes',
] as const satisfies readonly ProgressField[];

/** A progress under the names that it has on the wire. */
function progressFields(progress: Progress): Record<ProgressField, unknown> {
  return {
    status: progress.status,
    sub_status: progress.subStatus,
    checkin_message: progress.message,
    missing_info: progress.missing,
    boarding_passes: progress.boardingPasses,
  };
}

/** The same as one look at it shows it: texts and the order of a set may differ from look to look. */
export function shownFields(
  progress: Progress,
  policy: WebCheckinPolicy,
  moment: Moment,
): Record<ProgressField, unknown> {
  return {
    ...progressFields(progress),
    checkin_message: policy.messageShown(progress.message, moment),
    missing_info: policy.missingShown(progress.missing, moment),
  };
}

/** The progress of an attempt that waits for its check-in window. */
export function waitingProgress(missing: readonly Missing[], policy: WebCheckinPolicy): Progress {
  const complete = missing.length === 0;
  return {
    status: 'SCHEDULED',
    subStatus: complete ? policy.completeSubStatus : policy.missingSubStatus(missing),
    message: policy.stateText(complete ? completeText : incompleteText),
    missing: missing.map((item) => policy.missingItem(item)),
    boardingPasses: [],
  };
}

const completeText = 'All required information is present; check-in is scheduled.';
const incompleteText = 'Information is missing; complete it with an update.';
const automatedMessages: Readonly<Record<Status, string>> = {
  SCHEDULED: 'Check-in is queued.',
  IN_PROGRESS: 'Check-in is under way with the airline.',
  COMPLETED: 'Check-in is complete.',
  FAILED: 'The airline did not accept the check-in.',
};

/** The progress that the automation reports; what is not given takes its usual value. */
export function automatedProgress(
  attempt: Attempt,
  status: Status,
  policy: WebCheckinPolicy,
  given: Partial<Progress> = {},
): Progress {
  const passes = status === 'COMPLETED' ? [boardingPass(attempt)] : [];
  return {
    status,
    subStatus: given.subStatus ?? policy.automatedSubStatus[status],
    message: given.message ?? policy.stateText(automatedMessages[status]),
    missing: status === 'COMPLETED' ? [] : attempt.progress.missing,
    boardingPasses: given.boardingPasses ?? passes,
  };
}

function boardingPass(attempt: Attempt): string {
  return `https://boarding-passes.example.com/${encodeURIComponent(attempt.checkinId)}/1.pdf`;
}

/** What changed of a progress, and what it was before. */
interface Change {
  readonly changed: readonly ProgressField[];
  readonly before: Readonly<Record<ProgressField, unknown>>;
}

function pushEvent(attempt: Attempt, { changed, before }: Change, mover: Mover): void {
  const { policy, attempts, moment } = mover;
  const values = policy.changeValues(shownFields(attempt.progress, policy, moment()), before);
  const names = policy.reported(changed, attempt.progress);
  const changes = Object.fromEntries(names.map((name) => [name, values[name]]));
  for (const callback of policy.recipients(attempt, () => attempts.all()))
    for (const told of policy.eventsOf(changes)) queueEvent(attempt, { told, callback }, mover);
}

/** The last event of each record. */
const latestEvents = new WeakMap<Attempt, ToldChange>();

/** How long a worker that delivers one event after the other takes for each. */
const workMs = 60;

function queueEvent(
  attempt: Attempt,
  { told: { changes, delayMs }, callback }: { told: ToldChanges; callback: Callback },
  { policy, clock, queue, moment }: Mover,
): void {
  const { checkinId, enterprise } = attempt;
  const event = { changedAt: clock.now(), changes };
  latestEvents.set(attempt, event);
  queue.push({
    enterprise: enterprise.id,
    method: policy.callbackMethod,
    lane: { any: null, 'in-order': checkinId, 'one-by-one': enterprise.id }[policy.deliveryOrder],
    yields: policy.deliveryOrder === 'one-by-one',
    url: policy.callbackTarget(callback.url),
    message: (delivery) => {
      const { changedAt, changes } = policy.retrying.delivers(
        event,
        latestEvents.get(attempt) ?? event,
        delivery,
      );
      const instant = policy.occurredAt(changedAt, clock.now(), attempt);
      const occurredAt = policy.occurredAtText(instant, policy.timestamp);
      const values: Readonly<Record<string, unknown>> =
        policy.readsLate === null ? changes : shownFields(attempt.progress, policy, moment());
      const told = Object.fromEntries(Object.keys(changes).map((name) => [name, values[name]]));
      const body: Record<string, unknown> = { occurredAt, checkin_id: checkinId, changes: told };
      const type = policy.callbackContentType;
      const headers = {
        ...(type === null ? {} : { 'content-type': type }),
        ...policy.callbackHeader(callback, delivery),
      };
      policy.eventName(body, headers);
      return { headers, body: policy.callbackBody(body, delivery) };
    },
    retryMs: policy.callbackRetryMs,
    delayMs:
      policy.deliveryOrder === 'one-by-one'
        ? workMs
        : (policy.readsLate ?? delayMs ?? policy.callbackDelayMs),
    copies: policy.callbackTwice ? 2 : 1,
    succeeded: policy.delivered,
    followRedirects: policy.followsRedirects,
    givesUp: policy.givesUp,
    behindRetry: policy.retrying.behind,
  });
}
