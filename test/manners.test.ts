import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventLineSchema } from '../src/cli/events/commandEvents.ts';
import { besideSandbox } from './support/besideSandbox.ts';
import { commandLine } from './support/commandLine.ts';
import { gatecheck } from './support/gatecheck.ts';
import { sampleResult } from './support/sampleResult.ts';

const few = ['--only', 'SHR-AUT-001', '--max-requests', '60'];
/** Of what shows the checks in a clone, nothing is seen. */
const inClone = { env: { VITEST: undefined } };
const scratch = () => mkdtempSync(join(tmpdir(), 'gatecheck-manners-'));

test('--quiet prints the verdict and nothing else', async () => {
  const { code, stdout, stderr } = await gatecheck(['run', '--quiet', ...few], inClone);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^✓ CONFORMANT \(\d+ of \d+ requirements selected\), gate met {2}embedded target · [^\n]*\n$/,
  );
});

test('--quiet says which gate is not met where the verdict is good', async () => {
  const { code, stdout, stderr } = await commandLine([
    'run',
    ...['--quiet', '--read-only', '--require', 'quota', ...few],
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('Required but missing: quota.\n');
  expect(stdout).toMatch(/^✗ CONFORMANT \(\d+ of \d+ requirements selected\), gate not met: quota missing/);
});

test('--json prints every event as a line of JSON on stdout, the reports last', async () => {
  const { code, stdout } = await gatecheck(['run', '--json', ...few], inClone);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; at: string; exitCode?: number; request?: string });
  const names = events.map(({ name }) => name);
  expect(code).toBe(0);
  expect(names[0]).toBe('run-started');
  expect(names.slice(-2)).toEqual(['run-finished', 'reports']);
  expect(events.at(-1)).toMatchObject({
    exitCode: 0,
    gate: { state: 'met', because: [] },
    paths: [expect.stringContaining('report.html'), expect.any(String)],
  });
  expect(events.every(({ at }) => /^\d{4}-.*Z$/.test(at))).toBe(true);
  expect(events.find(({ name }) => name === 'exchange')?.request).toMatch(/^(GET|POST) \//);
});

test.each([
  ['run', few, 'run-started', 'reports'],
  ['plan', few, 'check-planned', 'plan-made'],
  ['doctor', [], 'exchange', 'doctor-finished'],
  ['load', ['--duration', '1s'], 'load-started', 'reports'],
] as const)('every line of %s --json is as its schema says', async (name, more, one, last) => {
  const { stdout } = await commandLine([name, '--json', ...more]);
  const lines = stdout.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { readonly name: string });
  expect(events.map((event) => event.name)).toContain(one);
  expect(events.at(-1)?.name).toBe(last);
  expect(events.flatMap((event) => eventFaults(event))).toEqual([]);
});

/** A line that no schema of an event takes whole. */
function eventFaults(event: object): readonly string[] {
  const isKnown = eventLineSchema.options.some((schema) => schema.strict().safeParse(event).success);
  return isKnown ? [] : [JSON.stringify(event)];
}

test.each([
  ['doctor', [], /^x1 {2}GET \/extPartner\S+ {2}primary#\d+ {2}200 {2}\d+ ms$/m],
  ['load', ['--duration', '1s'], /^l\d+ {2}(GET|POST) \/extPartner\S+ {2}primary#\d+ {2}\d{3} {2}\d+ ms$/m],
] as const)('%s --verbose prints each exchange on stderr', async (name, more, line) => {
  expect((await commandLine([name, '--verbose', ...more])).stderr).toMatch(line);
});

test('plan --verbose names the requirements of each check', async () => {
  const { stdout } = await commandLine(['plan', '--verbose', ...few]);
  expect(stdout).toMatch(/^check .* verifies$/m);
  expect(stdout).toMatch(/^shared\.auth\.missing .* SHR-AUT-001 /m);
});

test.each(['--saturate', '--processes=2', '--quiet'])(
  'a load whose exchanges are to be shown excludes %s',
  async (option) => {
    const { code, stderr } = await commandLine(['load', '--verbose', option]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: --verbose, ${option.replace(/=.*/, '')}: expected one of the two; got both\n`,
    });
  },
);

test('--verbose prints each exchange; keys stand in none, also where a check puts one into the address', async () => {
  await besideSandbox([], async ({ env, file }) => {
    const { code, stderr } = await commandLine(['run', '--verbose', ...few], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^x\d+ {2}GET \/extPartner\S+ {2}(primary#\d+|no key) {2}(200|401) {2}\d+ ms$/m);
    const keys = Object.entries(env).filter(([name]) => name.startsWith('GATECHECK_KEY'));
    for (const [, key] of keys) for (const one of key.split(',')) expect(stderr).not.toContain(one);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test.each([
  ['plan', [], /^\d+ checks, nothing sent yet[^\n]*\n\d+ requests of at most [^\n]*\nabout [^\n]*\n$/],
  ['doctor', [], /(^|\n)Ready[^\n]*\n$/],
  ['load', ['--duration', '1s'], /^[^\n]+ LOAD[^]*\/s ok [^\n]*\n {2}\d+ ok [^\n]*\n$/],
])('%s --quiet prints its sum and no detail', async (name, more, sum) => {
  const { stdout, stderr } = await commandLine([name, '--quiet', ...more]);
  expect(stderr).toBe('');
  expect(stdout).toMatch(sum);
  expect(stdout).not.toMatch(/^ {2}ok |report\.html|latency/m);
});

test('--quiet and --verbose exclude each other', async () => {
  const { code, stderr } = await commandLine(['run', '--quiet', '--verbose']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: --quiet, --verbose: expected one of the two; got both\n',
  });
});

test('FORCE_COLOR wins over NO_COLOR and over a pipe', async () => {
  const bad = ['run', '--quiet', '--verbose'];
  expect((await gatecheck(bad, { env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001b[31m');
  expect((await gatecheck(bad, { env: { FORCE_COLOR: '0' } })).stderr).not.toContain('\u001b[');
});

test('an option of other commands is named as such', async () => {
  const { code, stderr } = await commandLine(['load', '--shard', '1/2']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: --shard: no option of load, but of run, plan/);
});

test('what serve can be made to do wrong is listed, and several mistakes go together', async () => {
  const { code, stdout } = await commandLine(['serve', '--list-defects', '--list-dialects']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^update-merges-fields +webcheckin +\S/m);
  expect(stdout).toMatch(/^counted-requests=every +SHR-OPN-001$/m);
  const wrong = await commandLine(['serve', '--defect', 'update-merges-fields', '--defect', 'banana']);
  expect(wrong.stderr).toBe(
    'error: --defect: expected the id of a defect, of those that --list-defects lists; got "banana"\n',
  );
});

test('report --open opens the report as a double click does', async () => {
  const folder = scratch();
  const opened = join(folder, 'opened');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const first = await commandLine(['run', '--quiet', ...few]);
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}` };
  const { code } = await gatecheck(['report', join(first.folder, 'reports/latest'), '--open'], { env });
  expect(code).toBe(0);
  await expect.poll(() => existsSync(opened)).toBe(true);
  await expect.poll(() => readFileSync(opened, 'utf8')).toMatch(/reports\/.*report\.html\n$/);
});

test('reports that are made anew keep what was on the wire, in the same directory and in another', async () => {
  const { folder } = await commandLine(['run', '--quiet', ...few]);
  const own = join(folder, 'reports/latest');
  const wire = readFileSync(join(own, 'evidence.ndjson'), 'utf8');
  const other = join(scratch(), 'anew');
  for (const dir of [own, other]) {
    const { code } = await commandLine(['report', own, '--report-dir', dir]);
    expect(code).toBe(0);
    expect(readFileSync(join(dir, 'evidence.ndjson'), 'utf8')).toBe(wire);
    expect(existsSync(join(dir, 'evidence/0001.html'))).toBe(true);
  }
  const { code, stderr } = await commandLine(['report', '--merge', own, other, '--report-dir', other]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: Expected a directory of its own for the merged result/);
  expect(existsSync(join(other, 'evidence.ndjson'))).toBe(true);
});

const qa = ['--target', 'https://qa.example.invalid', ...few];
const key = { GATECHECK_KEYS_PRIMARY: 's3cret-primary-key' };

test.each([
  ['run', '60 requests|request'],
  ['limits', 'request'],
  ['load', 'request'],
])('%s to a target that is not local is not started where nobody agreed', async (command) => {
  const { code, stdout, stderr, folder } = await commandLine([command, ...qa], { env: key });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /^error: expected --yes, since https:\/\/qa\.example\.invalid is not local and there is no terminal to ask on; got no agreement to about \d+ requests/,
  );
  expect(existsSync(join(folder, 'reports'))).toBe(false);
});

test.each([
  ['--yes', ['--yes'], {}],
  ['GATECHECK_YES', [], { GATECHECK_YES: 'on' }],
])('%s agrees where nobody can be asked', async (_name, options, env) => {
  const { code } = await commandLine(['run', ...qa, ...options], { env: { ...key, ...env } });
  expect(code).toBe(3);
});

test.each([
  [['serve', '--dialect', 'rndom:1'], "did you mean 'random:1'?"],
  [['serve', '--dialect', 'absent-alternate-inf=x'], 'did you mean'],
  [['serve', '--defect', 'quota-non-ignored'], "did you mean 'quota-none-ignored'?"],
  [['prove', '--defect', 'quota-non-ignored'], "did you mean 'quota-none-ignored'?"],
  [['prove', '--only', 'WCI-STS-04'], "did you mean 'WCI-STS-004'?"],
  [['run', '--profile', 'smok'], "did you mean 'smoke'?"],
  [['load', '--mix', 'wci.status=1,wci.lst=2'], "did you mean 'wci.list'?"],
  [['load', '--journeys', 'subscribe-and-pol'], "did you mean 'subscribe-and-poll'?"],
  [['proxy', '--target', 'http://127.0.0.1:1', '--fault', 'latncy=3s'], "did you mean 'latency'?"],
  [['proxy', '--target', 'http://127.0.0.1:1', '--fault', 'reset@wci.statu'], "did you mean 'wci.status'?"],
  [['completion', 'bsh'], "did you mean 'bash'?"],
])('%j is refused with what was probably meant', async (args, meant) => {
  const { code, stderr } = await commandLine(args);
  expect(code).toBe(2);
  expect(stderr).toContain(meant);
});

test.each([
  ['m.md', '# '],
  ['m.html', '<!doctype html>'],
  ['m.json', '{'],
])('a matrix goes to %s in the form of its name', async (name, start) => {
  const folder = scratch();
  const result = join(folder, 'result.json');
  writeFileSync(result, JSON.stringify(sampleResult({})));
  const file = join(folder, name);
  expect((await commandLine(['matrix', result, result, '--output', file])).code).toBe(0);
  expect(readFileSync(file, 'utf8').slice(0, 20).toLowerCase()).toContain(start);
});

test('a load of fewer requests than the limits allow is not called one beyond them', async () => {
  const { code, stdout, stderr } = await commandLine(['load', '--rate', '5', '--duration', '1s']);
  expect(code).toBe(0);
  expect(stderr + stdout).toContain('5 requests over 64 keys, not held to the limits');
});
