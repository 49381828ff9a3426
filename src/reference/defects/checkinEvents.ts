import { wallAsUtc } from '../shared/localTime.ts';
import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import type { Step } from '../webcheckin/policyTerms.ts';
import type { Attempt, Status } from '../webcheckin/records.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');
const { emits } = documentedWebCheckinPolicy;

/** Mistakes in which changes are pushed, to whom, and with which values. */
export const checkinEventDefects: readonly Defect[] = [
  // What is not pushed
  always(
    'webhook-silent',
    'No state change is pushed.',
    'WCI-CB-001 also WCI-CB-013 WCI-CB-021 WCI-CB-023 WCI-CB-026',
    { emits: () => false },
  ),
  sometimes(
    'webhook-completion-only',
    'Only completion is pushed.',
    'WCI-CB-021 also WCI-CB-001 WCI-CB-026',
    { emits: (_cause, changed) => changed.includes('boarding_passes') },
  ),
  sometimes(
    'webhook-completion-silent',
    'Completion is not pushed.',
    'WCI-CB-013 also WCI-CB-021 WCI-CB-023',
    { emits: (cause, changed) => cause !== 'creation' && !changed.includes('boarding_passes') },
  ),
  sometimes(
    'webhook-late-completion-silent',
    'A completion after a failure is not pushed.',
    'WCI-CB-013 WCI-CB-021',
    {
      emits: (cause, changed, { before, after }) =>
        cause !== 'creation' &&
        changed.includes('status') &&
        !(before.status === 'FAILED' && after.status === 'COMPLETED'),
    },
  ),
  sometimes(
    'webhook-read-when-sent',
    'An event tells what the record is like when it is delivered.',
    'WCI-CB-021 also WCI-CB-016 WCI-CB-017 WCI-CB-018 WCI-CB-019',
    { readsLate: 600 },
  ),
  sometimes('webhook-failure-silent', 'A failure is not pushed.', 'WCI-CB-021', {
    emits: (cause, changed, { after }) =>
      cause !== 'creation' && changed.includes('status') && after.status !== 'FAILED',
  }),
  sometimes(
    'webhook-lost-on-repeat',
    'A repeated subscribe ends the callbacks of the first.',
    'WCI-CB-023 also WCI-CB-021',
    {
      onRepeat: (attempt) => {
        attempt.callback = null;
      },
    },
  ),
  sometimes(
    'webhook-lost-on-null',
    'A repeated subscribe with callbackData null ends the callbacks.',
    'WCI-CB-023',
    {
      onRepeat: (attempt, { disclaims }) => {
        if (disclaims) attempt.callback = null;
      },
    },
  ),
  sometimes(
    'webhook-lost-on-update',
    'An update ends the callbacks of a request.',
    'WCI-CB-026 also WCI-CB-021',
    {
      onUpdate: (attempt) => {
        attempt.callback = null;
      },
    },
  ),
  sometimes(
    'webhook-lost-on-new-pnr',
    'An update of the pnr ends the callbacks of a request.',
    'WCI-CB-026',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr') attempt.callback = null;
      },
    },
  ),
  sometimes(
    'webhook-lost-in-multipart',
    'callbackData of a multipart subscribe is not registered.',
    'WCI-CB-001',
    { registered: (sent, _others, { multipart }) => (multipart ? null : sent) },
  ),
  sometimes(
    'webhook-for-first-record-only',
    'Only the first request of an enterprise with a webhook is pushed.',
    'WCI-CB-001 also WCI-CB-013 WCI-CB-021 WCI-CB-023 WCI-CB-026',
    {
      registered: (sent, others) => (others().some(({ callback }) => callback) ? null : sent),
    },
  ),

  sometimes('webhook-two-legs-silent', 'Requests with two legs are not pushed.', 'WCI-CB-001', {
    emits: (cause, changed, step) => step.attempt.legs.length === 1 && emits(cause, changed, step),
  }),
  sometimes(
    'webhook-past-in-utc-silent',
    'Requests are not pushed once the departure, its clock read as UTC, is past.',
    'WCI-CB-001',
    {
      emits: (cause, changed, step) => !isPastInUtc(step) && emits(cause, changed, step),
    },
  ),
  sometimes('webhook-lost-with-key', 'A revoked key ends the callbacks of what it made.', 'WCI-CB-001', {
    revocationTakes: 'their webhooks',
  }),
  sometimes('webhook-status-once', 'A status that was pushed before is not pushed again.', 'WCI-CB-021', {
    emits: (cause, changed, step) => isNews(step) && emits(cause, changed, step),
  }),

  // What is pushed too much, or to the wrong address
  sometimes('webhook-url-cut', 'A callbackUrl is cut after 255 characters.', 'WCI-CB-004', {
    registered: (sent) => sent && { ...sent, url: sent.url.slice(0, 255) },
  }),
  sometimes(
    'webhook-of-another-request',
    'A request without callbackData takes the webhook of an earlier one.',
    'WCI-CB-014 also WCI-CB-004',
    { registered: (sent, others) => sent ?? others().findLast(({ callback }) => callback)?.callback ?? null },
  ),
  sometimes(
    'webhook-of-another-enterprise',
    'The event also goes to the webhook of another enterprise for the same booking.',
    'WCI-CB-022',
    {
      recipients: ({ callback, pnr }, all) =>
        [...all()].flatMap((one) => (callback && one.callback && one.pnr === pnr ? [one.callback] : [])),
    },
  ),
  sometimes('webhook-on-repeat', 'A repeated subscribe is pushed as a change.', 'WCI-CB-015', {
    announcesIdle: (idle) => idle === 'repeated subscribe',
  }),
  sometimes('webhook-on-read', 'Reading a request is pushed as a change.', 'WCI-CB-015', {
    announcesIdle: (idle) => idle === 'read',
  }),
  sometimes('webhook-on-same-update', 'An update that changes nothing is pushed.', 'WCI-CB-015', {
    announcesIdle: (idle) => idle === 'same update',
  }),
  sometimes('webhook-on-same-progress', 'A progress that changes nothing is pushed.', 'WCI-CB-015', {
    announcesIdle: (idle) => idle === 'same progress',
  }),

  // What the changes say
  sometimes('webhook-without-passes', 'Boarding passes are not pushed.', 'WCI-CB-013 also WCI-CB-011', {
    reported: (changed) => changed.filter((name) => name !== 'boarding_passes'),
  }),
  sometimes('webhook-without-message', 'A changed checkin_message is not pushed.', 'WCI-CB-011', {
    reported: (changed) => changed.filter((name) => name !== 'checkin_message'),
  }),
  sometimes(
    'webhook-without-sub-status',
    'A changed sub_status is not pushed.',
    'WCI-CB-011 WCI-CB-013 also WCI-CB-010',
    {
      reported: (changed) => changed.filter((name) => name !== 'sub_status'),
    },
  ),
  sometimes(
    'webhook-sub-status-empty',
    'A change of the sub-status alone is pushed with empty changes.',
    'WCI-CB-010 also WCI-CB-011',
    { reported: (changed) => (changed.includes('status') ? changed : []) },
  ),
  always('webhook-passes-always', 'boarding_passes is told with every change.', 'WCI-CB-012', {
    reported: (changed) => [...new Set([...changed, 'boarding_passes' as const])],
  }),
  sometimes(
    'webhook-old-values',
    'changes tells the values before the change.',
    'WCI-CB-011 WCI-CB-013 also WCI-CB-012 WCI-CB-020 WCI-CB-021 WCI-CB-080',
    { changeValues: (_after, before) => before },
  ),
  sometimes('webhook-first-pass-only', 'Only the first of several boarding passes is pushed.', 'WCI-CB-020', {
    changeValues: (after) => ({
      ...after,
      boarding_passes: (after.boarding_passes as readonly unknown[]).slice(0, 1),
    }),
  }),
  sometimes('webhook-failure-as-progress', 'A failure is pushed as IN_PROGRESS.', 'WCI-CB-020 WCI-CB-011', {
    changeValues: (after) => ({
      ...after,
      status: after.status === 'FAILED' ? 'IN_PROGRESS' : after.status,
    }),
  }),
  sometimes('webhook-back-silent', 'That a record waits again is not pushed.', 'WCI-CB-021', {
    emits: (cause, changed, step) =>
      documentedWebCheckinPolicy.emits(cause, changed, step) &&
      (step.after.status !== 'SCHEDULED' || step.before.status === 'SCHEDULED'),
  }),
];

const pushed = new WeakMap<Attempt, Set<Status>>();

/** Whether an attempt has not had this status since it was first asked. */
function isNews({ attempt, after }: Step): boolean {
  const before = pushed.get(attempt) ?? new Set();
  const isNew = !before.has(after.status);
  pushed.set(attempt, before.add(after.status));
  return isNew;
}

function isPastInUtc({ attempt }: Step): boolean {
  const [first] = attempt.legs;
  return first !== undefined && wallAsUtc(first.departure) < attempt.updatedAt;
}
