import { expect, test } from 'vitest';
import { readSuites } from '../../engine/session/suites.ts';
import { policyOfJob } from './job.ts';
import { judgeReference } from './judgeReference.ts';

const agreement = 'WCI-CB-020';

/** The verdict on whether pushed and read values agree, by these checks alone. */
async function agreementOf(what: Parameters<typeof policyOfJob>[0]) {
  const checks = await readSuites();
  const { verdicts } = await judgeReference({
    checks,
    policy: policyOfJob(what),
    among: new Set(checks.filter(({ verifies }) => verifies.includes(agreement)).map(({ id }) => id)),
    maxRequests: 2400,
  });
  return [...verdicts].find(([{ id }]) => id === agreement)?.[1].status;
}

test.each(['at-once', 'late'])(
  'a creation that is pushed first contradicts no later read (%s)',
  async (delay) => {
    const dialect = { events: 'creation-and-status', 'callback-delay': delay };
    expect(await agreementOf({ dialect, defect: null })).toBe('pass');
  },
);

test('where only completion is pushed, nothing contradicts', async () => {
  expect(await agreementOf({ dialect: {}, defect: 'webhook-completion-only' })).not.toBe('fail');
});
