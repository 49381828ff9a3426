import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import type { Config } from '../src/index.ts';
import { defects } from '../src/reference/defects.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { virtualRun, type VirtualRun } from './support/virtualRun.ts';

const check = 'shared.limits.hour-awaited';
const { keys, enterprises } = defaultEnterprises(1);

/** A deployment whose clock nobody moves, and runs that wait for its hour in virtual time. */
function deploy(policy: Partial<Policy> = {}) {
  const clock = new VirtualClock(Date.UTC(2031, 2, 4, 12));
  const deployment = createDeployment({ clock, enterprises, policy: { ...documentedPolicy, ...policy } });
  const paceFile = join(mkdtempSync(join(tmpdir(), 'gatecheck-hour-')), '.pace.json');
  const verify = (config: Config = {}) =>
    virtualRun({
      app: (request) => deployment.fetch(request),
      clock,
      config: { profile: 'full', only: [check], ...config },
      primary: keys.primary.slice(0, 2),
      paceFile,
    });
  return { verify };
}

function statusOf({ session }: VirtualRun): Readonly<Record<string, string>> {
  const outcome = session.outcomes.find((one) => one.check === check);
  return Object.fromEntries(
    (outcome?.contributions ?? []).map(({ requirement, status }) => [requirement, status]),
  );
}

test('the hour is verified in real time at the pace of the minute, without a refusal but the last', async () => {
  const run = await deploy().verify();
  const refused = run.exchanges.filter(
    ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 429,
  );
  expect(statusOf(run)).toMatchObject({ 'SHR-LIM-008': 'pass' });
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(run.session.limitsBook.entries[0]?.identification.isDocumented).toBe(true);
  expect(run.session.client.throttled).toBe(0);
  expect(run.ms).toBeLessThan(26 * 60_000);
});

test('what an interrupted run had sent is taken over', async () => {
  const { verify } = deploy();
  const first = await verify({ budgets: { maxDuration: '8m' } });
  const second = await verify();
  expect(first.exchanges.length).toBeGreaterThan(300);
  expect(second.exchanges.length).toBeLessThan(750);
  expect(second.session.limitsBook.entries[0]?.identification).toMatchObject({ isDocumented: true });
  expect(statusOf(second)['SHR-LIM-008']).toBe('pass');
});

test.each([
  ['hour-unlimited', 'SHR-LIM-008', 'no limit up to 1003'],
  ['hour-one-too-many', 'SHR-LIM-008', 'rolling log of 1001'],
  ['hour-one-too-few', 'SHR-LIM-007', 'rolling log of 999'],
])('%s is found, and called by its name', async (id, row, name) => {
  const run = await deploy(defects.find((one) => one.id === id)?.policy).verify();
  expect(statusOf(run)[row]).toBe('fail');
  expect(run.session.limitsBook.entries[0]?.identification.name).toBe(name);
});
