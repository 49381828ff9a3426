import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import type { DeploymentOptions } from '../src/reference/parts.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { createBusyDeployment, loadDefects } from './support/loadDefects.ts';
import { gatecheck, type Ended } from './support/gatecheck.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { loadAt } from './support/writtenLoad.ts';
import { resultOf } from './support/writtenResult.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function sandboxWith(options: Partial<DeploymentOptions>, create = createDeployment): Promise<Sandbox> {
  const sandbox = await openSandbox(options, create);
  open.push(sandbox);
  return sandbox;
}

/** The usual enterprises, of which the first has this many quota units. */
function withUnits(units: number): NonNullable<DeploymentOptions['enterprises']> {
  const [first, ...rest] = defaultEnterprises(1).enterprises;
  if (first === undefined) throw new Error('there is no enterprise');
  return [{ ...first, entitlement: { status: 'active', included_units: units, consumed_units: 0 } }, ...rest];
}

/** Sends the finding of a requirement again, and checks that the result of the load has one. */
async function replayOf(
  ended: Ended,
  requirement: string,
  target: Sandbox,
  ...more: readonly string[]
): Promise<Ended> {
  const finding = resultOf(ended).findings.find((one) => one.requirement === requirement);
  expect(finding?.reproduce.command).toMatch(/^gatecheck load .*--seed \d+/);
  return gatecheck(
    ['replay', finding?.fingerprint ?? '', '--from', `${ended.folder}/out`, '--target', target.url, ...more],
    { env: { GATECHECK_KEYS_PRIMARY: target.keys.join(',') } },
  );
}

/** A list without its pagination. */
const noPagination: Partial<Policy> = { listBody: ({ pagination: _, ...body }) => body };

test('what a load found broken at rest as well is sent again: it fails still, or is fixed', async () => {
  const policy = { ...documentedPolicy, ...noPagination };
  const broken = await sandboxWith({ policy });
  const ended = await loadAt(broken, ['--rate', '20/s', '--duration', '2s', '--mix', 'wci.list=1']);
  expect(ended.code).toBe(1);
  const [{ requirement } = { requirement: '' }] = resultOf(ended).findings;

  const still = await replayOf(ended, requirement, broken);
  expect(still.stdout).toMatch(/^FAILS {2}WCI-LST-.*\n {2}without load as well: expected /);
  expect(still.code).toBe(1);

  const fixed = await replayOf(ended, requirement, await sandboxWith({}));
  expect(fixed.stdout).toMatch(/^FIXED {2}.*\n {2}the rule held at rest, 2 of 2 times that it was judged\n/);
  expect(fixed.code).toBe(0);
});

test('what breaks only under load cannot be told at rest: the command of the load is named, exit 3', async () => {
  const defect = loadDefects.find(({ id }) => id === 'quota-oversold') ?? null;
  const busy = await sandboxWith(
    { limits: { perMinute: 1e5, perHour: 1e6 }, enterprises: withUnits(40) },
    (options) => createBusyDeployment(defect, { ...options, work: () => sleep(10) }),
  );
  const ended = await loadAt(busy, ['--rate', '200/s', '--duration', '1s', '--mix', 'wci.subscribe=1'], {
    config: { budgets: { maxQuota: 1000 }, limits: { perMinute: 1e5, perHour: 1e6 } },
  });
  const asked = busy.log.length;
  const forbidden = await replayOf(ended, 'WCI-QTA-009', busy, '--read-only');
  expect(forbidden.stderr).toContain('--read-only: expected a finding that GET requests show');
  expect([forbidden.code, busy.log.length]).toEqual([2, asked]);
  const replayed = await replayOf(ended, 'WCI-QTA-009', busy);
  expect(busy.log.length).toBeGreaterThan(asked);
  expect(replayed.stdout).toMatch(/^DIFFERS .*\n.* send the load again: gatecheck load .*--seed \d+\n/);
  expect(replayed.code).toBe(3);
});

test('for what takes a full limit nothing is sent, and no script is written', async () => {
  const lax = await sandboxWith({ limits: { perMinute: 1000, perHour: 10_000 } });
  const ended = await loadAt(lax, ['--rate', '100/s', '--duration', '2s', '--keys', '1']);
  const asked = lax.log.length;
  const replayed = await replayOf(ended, 'SHR-LIM-002', lax);
  expect(lax.log.length).toBe(asked);
  expect(replayed.stdout).toMatch(
    /Nothing was sent: it takes as many requests as fill the limit\. .*gatecheck load/,
  );
  expect(replayed.code).toBe(3);

  const [{ fingerprint } = { fingerprint: '' }] = resultOf(ended).findings;
  const script = await gatecheck([
    'replay',
    fingerprint,
    '--from',
    `${ended.folder}/out`,
    '--script',
    'a.sh',
  ]);
  expect(script.stderr).toContain('a load stores no journal of what it sends');
  expect(script.stderr).toContain('To see it again, send the load again: gatecheck load ');
  expect(script.code).toBe(2);
});
