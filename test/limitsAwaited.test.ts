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

const hour = 'shared.limits.hour-awaited';
const minute = 'shared.limits.minute';
const { keys, enterprises } = defaultEnterprises(1);

/** A deployment whose clock nobody moves, and runs that wait for its windows in virtual time. */
function deploy(policy: Partial<Policy> = {}) {
  const clock = new VirtualClock(Date.UTC(2031, 2, 4, 12));
  const deployment = createDeployment({ clock, enterprises, policy: { ...documentedPolicy, ...policy } });
  const memory = mkdtempSync(join(tmpdir(), 'gatecheck-hour-'));
  const verify = (config: Config = {}, count = 2) =>
    virtualRun({
      app: (request) => deployment.fetch(request),
      clock,
      config: { profile: 'full', only: [hour], ...config },
      primary: keys.primary.slice(0, count),
      memory,
    });
  return { verify };
}

function statusOf({ session }: VirtualRun, check = hour): Readonly<Record<string, string>> {
  const outcome = session.outcomes.find((one) => one.check === check);
  return Object.fromEntries(
    [...(outcome?.verdicts ?? [])].map(([requirement, { status }]) => [requirement, status]),
  );
}

test('the hour is verified in real time at the pace of the minute, without a refusal but the last', async () => {
  const run = await deploy().verify();
  const refused = run.exchanges.filter(
    ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 429,
  );
  expect(statusOf(run)).toMatchObject({ 'SHR-LIM-008': 'pass' });
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(run.session.observations.limitsBook.found[0]?.limiter.documented).toBe(true);
  expect(run.session.traffic.client.throttled).toBe(0);
  expect(run.ms).toBeLessThan(26 * 60_000);
});

test('what an interrupted run had sent is taken over', async () => {
  const { verify } = deploy();
  const first = await verify({ budgets: { maxDuration: '8m' } });
  const second = await verify();
  expect(first.exchanges.length).toBeGreaterThan(300);
  expect(second.exchanges.length).toBeLessThan(750);
  expect(second.session.observations.limitsBook.found[0]?.limiter.documented).toBe(true);
  expect(statusOf(second)['SHR-LIM-008']).toBe('pass');
});

test.each([
  ['hour-unlimited', 'SHR-LIM-008', 'no limit up to 1003'],
  ['hour-one-too-many', 'SHR-LIM-008', 'rolling log of 1001'],
  ['hour-one-too-few', 'SHR-LIM-007', 'rolling log of 999'],
])('%s is found, and its name comes first of those that fit', async (id, row, name) => {
  const run = await deploy(defects.find((one) => one.id === id)?.policy).verify();
  expect(statusOf(run)[row]).toBe('fail');
  expect(run.session.observations.limitsBook.found[0]?.limiter.name).toMatch(new RegExp(`^${name}\\b`));
});

test('with one key of one API the minute is verified as far as that goes, and nothing stays undecided', async () => {
  const run = await deploy().verify({ only: [minute], apis: ['webcheckin'] }, 1);
  expect(statusOf(run, minute)).toMatchObject({
    'SHR-LIM-001': 'pass',
    'SHR-LIM-002': 'pass',
    'SHR-LIM-011': 'skipped',
    'SHR-LIM-012': 'skipped',
    'SHR-LIM-014': 'skipped',
  });
  expect(Object.values(statusOf(run, minute))).not.toContain('inconclusive');
});

test('a flight of the target is found by trying, so that both APIs are asked', async () => {
  const run = await deploy().verify({ only: [minute] });
  expect(statusOf(run, minute)).toMatchObject({ 'SHR-LIM-011': 'pass', 'SHR-LIM-014': 'pass' });
});
