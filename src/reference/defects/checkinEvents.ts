import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in which changes are pushed, to whom, and with which values. */
export const checkinEventDefects: readonly Defect[] = [
  // What is not pushed
  always(
    'webhook-silent',
    'No state change is pushed.',
    { emits: () => false },
    ['WCI-CB-001'],
    ['WCI-CB-013', 'WCI-CB-021', 'WCI-CB-023', 'WCI-CB-026'],
  ),
  sometimes(
    'webhook-completion-only',
    'Only completion is pushed.',
    { emits: (_cause, changed) => changed.includes('boarding_passes') },
    ['WCI-CB-021'],
    ['WCI-CB-001', 'WCI-CB-026'],
  ),
  sometimes(
    'webhook-completion-silent',
    'Completion is not pushed.',
    { emits: (cause, changed) => cause !== 'creation' && !changed.includes('boarding_passes') },
    ['WCI-CB-013'],
    ['WCI-CB-021', 'WCI-CB-023'],
  ),
  sometimes(
    'webhook-late-completion-silent',
    'A completion after a failure is not pushed.',
    {
      emits: (cause, changed, { before, after }) =>
        cause !== 'creation' &&
        changed.includes('status') &&
        !(before.status === 'FAILED' && after.status === 'COMPLETED'),
    },
    ['WCI-CB-021'],
    ['WCI-CB-013'],
  ),
  sometimes(
    'webhook-failure-silent',
    'A failure is not pushed.',
    {
      emits: (cause, changed, { after }) =>
        cause !== 'creation' && changed.includes('status') && after.status !== 'FAILED',
    },
    ['WCI-CB-021'],
  ),
  sometimes(
    'webhook-lost-on-repeat',
    'A repeated subscribe ends the callbacks of the first.',
    {
      onRepeat: (attempt) => {
        attempt.callback = null;
      },
    },
    ['WCI-CB-023'],
    ['WCI-CB-021'],
  ),
  sometimes(
    'webhook-lost-on-update',
    'An update ends the callbacks of a request.',
    {
      onUpdate: (attempt) => {
        attempt.callback = null;
      },
    },
    ['WCI-CB-026'],
    ['WCI-CB-021'],
  ),
  sometimes(
    'webhook-lost-on-new-pnr',
    'An update of the pnr ends the callbacks of a request.',
    {
      onUpdate: (attempt, type) => {
        if (type === 'pnr') attempt.callback = null;
      },
    },
    ['WCI-CB-026'],
  ),
  sometimes(
    'webhook-lost-in-multipart',
    'callbackData of a multipart subscribe is not registered.',
    { registered: (sent, _others, { multipart }) => (multipart ? null : sent) },
    ['WCI-CB-001'],
  ),
  sometimes(
    'webhook-for-first-record-only',
    'Only the first request of an enterprise with a webhook is pushed.',
    {
      registered: (sent, others) => (others().some(({ callback }) => callback) ? null : sent),
    },
    ['WCI-CB-001'],
    ['WCI-CB-013', 'WCI-CB-021', 'WCI-CB-023', 'WCI-CB-026'],
  ),

  // What is pushed too much, or to the wrong address
  sometimes(
    'webhook-of-another-request',
    'A request without callbackData takes the webhook of an earlier one.',
    { registered: (sent, others) => sent ?? others().findLast(({ callback }) => callback)?.callback ?? null },
    ['WCI-CB-014'],
    ['WCI-CB-004'],
  ),
  sometimes(
    'webhook-of-another-enterprise',
    'The event also goes to the webhook of another enterprise for the same booking.',
    {
      recipients: ({ callback, pnr }, all) =>
        [...all()].flatMap((one) => (callback && one.callback && one.pnr === pnr ? [one.callback] : [])),
    },
    ['WCI-CB-022'],
  ),
  sometimes(
    'webhook-on-repeat',
    'A repeated subscribe is pushed as a change.',
    { announcesIdle: (idle) => idle === 'repeated subscribe' },
    ['WCI-CB-015'],
  ),
  sometimes(
    'webhook-on-read',
    'Reading a request is pushed as a change.',
    { announcesIdle: (idle) => idle === 'read' },
    ['WCI-CB-015'],
  ),
  sometimes(
    'webhook-on-same-progress',
    'A progress that changes nothing is pushed.',
    { announcesIdle: (idle) => idle === 'same progress' },
    ['WCI-CB-015'],
  ),

  // What the changes say
  sometimes(
    'webhook-without-passes',
    'Boarding passes are not pushed.',
    { reported: (changed) => changed.filter((name) => name !== 'boarding_passes') },
    ['WCI-CB-013'],
    ['WCI-CB-011'],
  ),
  sometimes(
    'webhook-without-sub-status',
    'A changed sub_status is not pushed.',
    { reported: (changed) => changed.filter((name) => name !== 'sub_status') },
    ['WCI-CB-011'],
    ['WCI-CB-013'],
  ),
  sometimes(
    'webhook-sub-status-empty',
    'A change of the sub-status alone is pushed with empty changes.',
    { reported: (changed) => (changed.includes('status') ? changed : []) },
    ['WCI-CB-010'],
    ['WCI-CB-011'],
  ),
  always(
    'webhook-passes-always',
    'boarding_passes is told with every change.',
    { reported: (changed) => [...new Set([...changed, 'boarding_passes' as const])] },
    ['WCI-CB-012'],
  ),
  sometimes(
    'webhook-old-values',
    'changes tells the values before the change.',
    { changeValues: (_after, before) => before },
    ['WCI-CB-011'],
    ['WCI-CB-013', 'WCI-CB-020', 'WCI-CB-021'],
  ),
  sometimes(
    'webhook-first-pass-only',
    'Only the first of several boarding passes is pushed.',
    {
      changeValues: (after) => ({
        ...after,
        boarding_passes: (after.boarding_passes as readonly unknown[]).slice(0, 1),
      }),
    },
    ['WCI-CB-020'],
  ),
  sometimes(
    'webhook-failure-as-progress',
    'A failure is pushed as IN_PROGRESS.',
    {
      changeValues: (after) => ({
        ...after,
        status: after.status === 'FAILED' ? 'IN_PROGRESS' : after.status,
      }),
    },
    ['WCI-CB-020'],
    ['WCI-CB-011'],
  ),
];
