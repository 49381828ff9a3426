import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy } from '../src/reference/policy.ts';
import { gatecheck } from './support/gatecheck.ts';
import { openSandbox } from './support/sandbox.ts';

const limits = { perMinute: 6000, perHour: 60_000 };
const { primary, other } = defaultEnterprises(1).keys;

/** A proof in front of a deployment of its own, by two keys and lists alone. */
async function proved(args: readonly string[], policy: object = {}, keys = primary.slice(0, 2).join(',')) {
  const sandbox = await openSandbox({ limits, policy: { ...documentedPolicy, ...policy } });
  onTestFinished(() => sandbox.close());
  const ended = await gatecheck(
    ['prove', '--wire', '--target', sandbox.url, '--only', 'WCI-LST-*', '--max-requests', '40', ...args],
    { env: { GATECHECK_KEYS_PRIMARY: keys }, config: { limits } },
  );
  return { ...ended, sent: sandbox.log.length };
}

test('in front of a target it says what was tried with what, and that no variation raises an alarm', async () => {
  const { code, stdout, stderr, folder, sent } = await proved(['--variation', 'member-order']);
  expect(stderr).toMatch(/the target as it is: \d+ of \d+ musts judged by \d+ requests/);
  expect(stdout).toContain('✓ NO ALARM');
  expect(stdout).toContain(
    'set-up: 2 keys, 0 keys of another enterprise, no state handler; at most 40 requests',
  );
  expect(stdout).toContain('1 of 1 variations without an alarm');
  expect(code).toBe(0);
  const data = readFileSync(join(folder, 'reports/prove/wire.json'), 'utf8');
  expect(JSON.parse(data)).toMatchObject({ proved: true, summary: { variations: 1, clean: 1 } });
  expect(data + stdout + stderr).not.toContain(primary[0]);
  expect(sent).toBeLessThan(100);
});

test('it ends when its time is over, and says how far it came', async () => {
  const { code, stdout, ms } = await proved(['--max-duration', '8s']);
  expect(stdout).toMatch(/tried: \d+ of \d+ variations, by \d+ requests/);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(60_000);
});

test('what fails unchanged is named, and not taken for an alarm', async () => {
  const { code, stdout } = await proved(['--variation', 'member-order'], { defaultLimit: 24 });
  expect(stdout).toMatch(/failed, and not looked at below: .*WCI-LST-0/);
  expect(stdout).toContain('1 of 1 variations without an alarm');
  expect(code).toBe(0);
});

test.each([
  [['--wire', '--target', 'https://qa.example.com'], /on this machine.*got one that is not local/s],
  [['--target', 'http://127.0.0.1:9'], /expected it together with --wire/],
])('%j is refused, and nothing is sent', async (args, said) => {
  const { code, stderr } = await gatecheck(['prove', ...args], {
    env: { GATECHECK_KEYS_PRIMARY: primary[0] ?? '', GATECHECK_KEYS_OTHER: other[0] ?? '' },
  });
  expect(stderr).toMatch(said);
  expect(code).toBe(2);
});

test('a target that nobody answers is inconclusive', async () => {
  const { code, stdout } = await gatecheck(['prove', '--wire', '--target', 'http://127.0.0.1:9'], {
    env: { GATECHECK_KEYS_PRIMARY: primary[0] ?? '' },
  });
  expect(stdout).toContain('? NOTHING TRIED');
  expect(stdout).toContain('unchanged: 0 of');
  expect(code).toBe(3);
});

test('a refused key is named, and nothing is changed then', async () => {
  const { code, stdout, sent } = await proved([], {}, 'no-key-of-this-deployment');
  expect(stdout).toMatch(/the run ended early: .*key/);
  expect(stdout).toContain('tried: 0 of 0 variations, by ');
  expect(code).toBe(3);
  expect(sent).toBeLessThan(20);
});
