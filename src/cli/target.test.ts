import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../test/support/commandLine.ts';
import { sampleFinding, sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-target-'));
const own = 'http://127.0.0.1:1';
const key = 'k-0123456789';
const keys = { GATECHECK_KEYS_PRIMARY: key };

const sending = [
  'run',
  'plan',
  'limits',
  'load',
  'doctor',
  'dev',
  'monitor',
  'worker --redis redis://127.0.0.1:1',
];

describe.each(sending)('%s', (command) => {
  const told = (env: Record<string, string>) => commandLine(command.split(' '), { folder, env });

  test('asks for a target where keys are given', async () => {
    const { code, stderr } = await told({ ...keys, GATECHECK_KEY_REVOKED: 'k-revoked' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /expected a target for these keys \(GATECHECK_KEYS_PRIMARY, GATECHECK_KEY_REVOKED\).*for the embedded reference say --target embedded/,
    );
  });

  test('asks for a target in CI', async () => {
    const { code, stderr } = await told({ CI: 'true' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected a target, since CI is set/);
  });

  test('refuses a target that is set but empty', async () => {
    const { code, stderr } = await told({ GATECHECK_TARGET: ' ' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: GATECHECK_TARGET: expected .*; got an empty value/);
  });
});

const plan = (env: Record<string, string>, ...more: readonly string[]) =>
  commandLine(['plan', '--quiet', ...more], { folder, env });

test.each([
  { GATECHECK_STATE_HANDLER: 'https://qa.example.com/_state' },
  { GATECHECK_STATE_HANDLER_AUTH: 'X-Auth: s3cret-text' },
  { GATECHECK_SINK_PUBLIC_URL: 'https://sink.example.com' },
  { GATECHECK_KEY_EXHAUSTED: key },
])('%o speaks of a deployment', async (env) => {
  const { code, stderr } = await plan(env);
  expect([code, stderr]).toEqual([2, expect.stringContaining(Object.keys(env).join())]);
  expect((await plan(env, '--target', 'embedded')).code).toBe(0);
});

test.each([
  ['--state-handler', 'https://qa.example.com/_state'],
  ['--baseline', 'known.yaml'],
])('%s speaks of a deployment', async (...options) => {
  expect(await plan({}, ...options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(options[0]) as string,
  });
});

test.each([
  'GATECHECK_KEYS_PRIMARY',
  'GATECHECK_STATE_HANDLER',
  'GATECHECK_SINK_PUBLIC_URL',
  'GATECHECK_SINK_LISTEN',
])('%s must not be empty', async (name) => {
  const { code, stderr } = await plan({ [name]: '' }, '--target', 'embedded');
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`${name}: .*got an empty value`))]);
});

test('an optional key that is empty is told, and not given', async () => {
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ keys: { suspended: 'env:QA_SUSPENDED' } }));
  const env = { GATECHECK_KEYS_OTHER: '', QA_SUSPENDED: ' ' };
  const { code, stderr } = await plan(env, '--config', config);
  expect([code, stderr]).toEqual([
    0,
    'Warning: GATECHECK_KEYS_OTHER, QA_SUSPENDED: set but empty, so they count as not given\n',
  ]);
});

test('without any of that, and in CI by name, it is the embedded reference', async () => {
  expect((await plan({})).code).toBe(0);
  expect((await plan({ CI: 'true', GATECHECK_TARGET: 'embedded' })).code).toBe(0);
});

/** An earlier run in which a rule failed. */
function earlierRun(name: string, target: object): string {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  const result = sampleResult({
    findings: [sampleFinding({ case: { check: 'wci.status.unknown', steps: [] } })],
    requirements: [sampleRequirement({ id: 'WCI-STS-004', verdict: 'fail' })],
  });
  writeFileSync(
    join(dir, 'result.json'),
    JSON.stringify({ ...result, target: { ...result.target, ...target } }),
  );
  return dir;
}

describe('--only-failed', () => {
  const url = { kind: 'url', baseUrl: own, baseUrls: { webcheckin: own, 'flight-alerts': own } };
  const dir = earlierRun('earlier', url);
  const again = async (env: Record<string, string>, ...more: readonly string[]) =>
    commandLine(['plan', '--format', 'json', '--only-failed', dir, ...more], { folder, env });

  test('takes the target of the run that it names', async () => {
    expect(await again({})).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/GATECHECK_KEYS_PRIMARY/) as string,
    });
    const { code, stdout } = await again({ ...keys, CI: 'true' });
    expect([code, stdout]).toEqual([0, expect.stringContaining(own)]);
  });

  test('refuses another one that is not on the command line, and names both', async () => {
    const { code, stderr } = await again({ ...keys, GATECHECK_TARGET: 'http://127.0.0.1:2' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /expected the target of earlier \(http:\/\/127\.0\.0\.1:1\); got http:\/\/127\.0\.0\.1:2/,
    );
    expect((await again({ ...keys, GATECHECK_TARGET: own })).code).toBe(0);
  });

  test('says that the command line names another one', async () => {
    const { code, stdout, stderr } = await again(keys, '--target', 'http://127.0.0.1:2');
    expect([code, stdout]).toEqual([0, expect.stringContaining('http://127.0.0.1:2')]);
    expect(stderr).toBe(
      'Warning: the target is http://127.0.0.1:2, not the target of earlier (http://127.0.0.1:1)\n',
    );
  });

  test('takes the embedded reference, an image and two hosts as well', async () => {
    const planned = async (target: object) => {
      const args = ['plan', '--format', 'json', '--only-failed', earlierRun('other', target)];
      return commandLine(args, { folder, env: { ...keys, CI: 'true' } }).then(
        ({ stdout, stderr }) => stdout + stderr,
      );
    };
    expect(await planned({ kind: 'embedded', baseUrl: own, baseUrls: url.baseUrls })).toContain(
      '"kind": "embedded"',
    );
    expect(await planned({ kind: 'image', image: 'api:2', baseUrl: own })).toContain('"reference": "api:2"');
    const hosts = { webcheckin: 'https://a', 'flight-alerts': 'https://b' };
    expect(await planned({ kind: 'url', baseUrl: null, baseUrls: hosts })).toContain(
      '"flight-alerts": "https://b"',
    );
  });
});

describe('replay and --resume', () => {
  const fingerprint = sampleFinding().fingerprint;
  const target = { kind: 'url', baseUrls: { webcheckin: own, 'flight-alerts': own } };
  const lines: readonly (readonly [name: string, args: () => readonly string[]])[] = [
    ['replay', () => ['replay', fingerprint, '--from', earlierRun('found', { ...target, baseUrl: own })]],
    ['--resume', () => ['run', '--resume', killedRun('killed', target)]],
  ];

  test.each(lines)('%s takes the target of the run', async (_name, args) => {
    const { code, stderr } = await commandLine(args(), { folder, env: {} });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: GATECHECK_KEYS_PRIMARY: .*not the embedded/),
    ]);
  });

  test.each(lines)('%s refuses another one that is not on the command line', async (_name, args) => {
    const env = { ...keys, GATECHECK_TARGET: 'embedded' };
    const { code, stderr } = await commandLine(args(), { folder, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /expected the target of \w+ \(http:\/\/127\.0\.0\.1:1\); got the embedded reference/,
    );
  });

  test('--resume refuses another one on the command line as well', async () => {
    const args = ['run', '--resume', killedRun('killed', target), '--target', 'embedded'];
    expect(await commandLine(args, { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /Expected the target of that run .* got the embedded reference/,
      ) as string,
    });
  });
});

/** The journal of a run that was killed before it had sent anything. */
function killedRun(name: string, target: object): string {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  const at = '2026-01-31T10:00:00.000Z';
  const settings = { apis: ['webcheckin'], profile: 'smoke', seed: 1, shard: null, only: [], openPoints: {} };
  const data = {
    ...{
      runId: 'r1',
      startedAt: Date.parse(at),
      command: 'gatecheck run',
      capabilities: [],
      booked: [],
      target,
    },
    settings: { ...settings, require: [], minMust: null, strict: false },
  };
  writeFileSync(
    join(dir, 'evidence.ndjson'),
    `${JSON.stringify({ type: 'event', at, name: 'head', data })}\n`,
  );
  return dir;
}
