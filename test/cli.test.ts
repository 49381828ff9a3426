import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from './support/commandLine.ts';
import { cloneEnv } from './support/startEnv.ts';

const root = join(import.meta.dirname, '..');
const main = join(root, 'src/cli/main.ts');
const commands = ['run', 'plan', 'doctor', 'sink', 'serve', 'requirements', 'init'];

/** A folder of its own, so that what a command writes is seen. */
function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-cli-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function gatecheck(
  args: readonly string[],
  { folder = folderWith(), env = {} }: { folder?: string; env?: Readonly<Record<string, string>> } = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...cloneEnv, NO_COLOR: '1', ...env },
  });
}

/** The same within this process: for all but a few of each kind, a process of their own would only take longer. */
async function line(args: readonly string[], given: Parameters<typeof gatecheck>[1] = {}) {
  const { folder = folderWith(), env = {} } = given;
  const { code: status, stdout, stderr } = await commandLine(args, { folder, env });
  return { status, stdout, stderr };
}

const key = { GATECHECK_KEYS_PRIMARY: 's3cret-primary-key' };
const qa = ['--target', 'https://qa.example.invalid'];

test.each<[what: string, args: string[], message: RegExp, given?: Parameters<typeof gatecheck>[1]]>([
  ['no command', [], /^Usage: gatecheck/],
  ['an unknown command', ['rnu'], /"rnu": no such command \(did you mean 'run'\?\)/],
  ['help of an unknown command', ['help', 'rnu'], /"rnu": no such command \(did you mean 'run'\?\)/],
  ['an unknown option', ['run', '--shrad', '1/2'], /--shrad: no such option \(did you mean '--shard'\?\)/],
  [
    'a key as an option',
    ['run', '--key=s3cret-primary-key'],
    /--key: no such option; keys come from the environment/,
  ],
  ['a key as an argument', ['run', 's3cret-primary-key'], /got further words \(not shown\)/],
  ['an option without its value', ['plan', '--seed'], /--seed <n>: expected a value; got none/],
  [
    'a bad shard',
    ['run', '--shard', '5/3'],
    /--shard: expected I\/N with I from 1 to N, such as 1\/4; got "5\/3"/,
  ],
  ['a bad URL', ['run', '--target', 'qa.example.com'], /--target: expected an http\(s\) address/],
  [
    'a URL with credentials',
    ['run', '--target', 'https://u:s3cret@qa'],
    /--target: expected .* without credentials/,
  ],
  ['a bad duration', ['run', '--max-duration', '15'], /--max-duration: expected a duration/],
  ['a bad share', ['run', '--min-must', '0.8'], /--min-must: expected a percentage/],
  [
    'a bad profile',
    ['plan', '--profile', 'fast'],
    /--profile: expected one of smoke, standard, full; got "fast"/,
  ],
  [
    'no such API',
    ['plan', '--api', 'checkin'],
    /--api: expected one of webcheckin, flight-alerts \(did you mean 'webcheckin'\?\)/,
  ],
  [
    'no such requirement',
    ['run', '--target', 'embedded', '--only', 'WCI-STS-01'],
    /--only: no such requirement.*did you mean 'WCI-STS-0/,
  ],
  [
    'no such capability',
    ['run', '--target', 'embedded', '--require', 'sing'],
    /--require: no such capability/,
  ],
  ['no key', ['run', ...qa], /GATECHECK_KEYS_PRIMARY: expected at least one active key/],
  [
    'a key in two roles',
    ['run', ...qa],
    /the same key as primary#1 and as other#1/,
    { env: { ...key, GATECHECK_KEYS_OTHER: 's3cret-primary-key' } },
  ],
  [
    'a key that no header carries',
    ['run', ...qa],
    /GATECHECK_KEYS_PRIMARY: expected comma-separated API keys/,
    { env: { GATECHECK_KEYS_PRIMARY: 's3cret key' } },
  ],
  [
    'a misspelt variable',
    ['plan'],
    /GATECHECK_KEY_PRIMARY: no such variable \(did you mean 'GATECHECK_KEYS_PRIMARY'\?\)/,
    { env: { GATECHECK_KEY_PRIMARY: 's3cret-primary-key' } },
  ],
  [
    'a misspelt variable of serve',
    ['serve'],
    /GATECHECK_SERVE_PROT: no such variable \(did you mean 'GATECHECK_SERVE_PORT'\?\)/,
    { env: { GATECHECK_SERVE_PROT: '1' } },
  ],
  [
    'an unreadable config',
    ['run', '--config', 'absent.json'],
    /absent.json: expected a readable config file; got no such file/,
  ],
  [
    'a broken config',
    ['plan'],
    /expected a readable config file/,
    { folder: folderWith({ 'gatecheck.config.json': '{ "seed": s3cret }' }) },
  ],
  [
    'a config that throws',
    ['plan'],
    /expected a readable config file; got no luck/,
    { folder: folderWith({ 'gatecheck.config.ts': 'throw new Error("no luck");' }) },
  ],
  [
    'an invalid config',
    ['plan'],
    /gatecheck.config.yaml:1:1: profle: no such field \(did you mean 'profile'\?\)/,
    { folder: folderWith({ 'gatecheck.config.yaml': 'profle: smoke' }) },
  ],
  [
    'a key in the config',
    ['plan'],
    /keys.primary: expected the name of an environment variable/,
    { folder: folderWith({ 'gatecheck.config.yaml': 'keys: { primary: s3cret-primary-key }' }) },
  ],
  [
    'an unreadable baseline',
    ['run', '--target', 'embedded', '--baseline', 'absent.json'],
    /--baseline: expected a readable file.*--update-baseline writes it/,
  ],
  ['a bad script', ['sink', '--answer', 'maybe'], /--answer: expected comma-separated answers/],
  [
    'a credential on the command line',
    ['sink', '--expect-auth-header', 'X-API-Key: s3cret-value'],
    /--expect-auth-header: expected the name of an environment variable/,
  ],
  [
    'half a certificate',
    ['doctor', '--target', 'embedded', '--sink-cert', 'package.json'],
    /--sink-key: expected a certificate and its/,
  ],
  [
    'an empty target of a proxy',
    ['proxy'],
    /GATECHECK_TARGET: expected .* it is set, but empty/,
    { env: { GATECHECK_TARGET: '' } },
  ],
  ['no such dialect', ['serve', '--dialect', 'x'], /--dialect: expected/],
  [
    'an unknown format',
    ['requirements', '--format', 'xml'],
    /--format: expected one of table, json, markdown/,
  ],
])(
  '%s is refused on one line, with exit code 2, and nothing is written',
  async (_what, args, message, given = {}) => {
    const folder = given.folder ?? folderWith();
    const before = readdirSync(folder);
    const { status, stdout, stderr } = await line(args, { env: key, ...withoutKey(args), ...given, folder });
    expect(stderr).toMatch(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at |s3cret/m);
    if (args.length > 0) expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(before);
  },
);

test('a process ends as it says: a refusal on one line of stderr, with exit code 2', () => {
  expect(gatecheck(['run', '--shrad', '1/2'], { env: key })).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^error: --shrad: no such option .*\n$/) as string,
  });
});

/** The case about the missing key must not be given one. */
function withoutKey(args: readonly string[]) {
  return args.length === 3 && args[1] === '--target' && args[2] === qa[1] ? { env: {} } : {};
}

test.each(commands)('%s --help ends with an example', async (command) => {
  const { status, stdout, stderr } = await line([command, '--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}\\$ gatecheck ${command}`));
});

test('the help of the program', () => {
  expect(gatecheck(['--help']).stdout).toMatchInlineSnapshot(`
    "Usage: gatecheck [options] [command]

    Conformance and load-testing harness of the Web Check-in and Flight Alerts
    partner APIs.

    Options:
      -V, --version                  print the version
      -h, --help                     print this help

    Commands:
      run [options]                  run the conformance checks, write the reports,
                                     exit by verdict
      plan [options]                 print what run would do with the same options;
                                     sends nothing
      dev [options]                  while you write a server: run the checks at
                                     every restart, failed ones first; keys: a all,
                                     f failed, o open report, q quit
      doctor [options]               check target, keys, clock, state handler and
                                     sink before a run; spends no quota
      limits [options]               verify the two rate limits and retryAfter, and
                                     name the kind of limiter
      load [options]                 drive a sustained load and report throughput,
                                     latency percentiles and errors
      worker [options]               work for load or run with --workers: take parts
                                     and shards over Redis until stopped
      sink [options]                 run the callback sink on its own, with a live
                                     page of what arrives
      serve [options]                run the reference deployment of both APIs as a
                                     sandbox
      requirements [options]         print the catalogue of requirements, with the
                                     checks of each
      prove [options]                run the checks against every dialect and every
                                     seeded defect of the reference
      judge [options] <files...>     judge recorded traffic (HAR, or the evidence of
                                     a run) with the passive oracles; sends nothing
      proxy [options]                run between a client and a target: record and
                                     judge the traffic, inject faults on demand
      monitor [options]              judge a target repeatedly within a daily
                                     budget, report changes, export metrics
      replay [options] <finding>     send the stored failing case of an earlier run
                                     again, to the same or another target
      report [options] [results...]  render the reports of a run, or merge those of
                                     shards and targets into one
      diff [options] <results...>    compare two results: newly failing and passing,
                                     open points, latency, limiter; exit 1 if
                                     something newly fails
      matrix [options] <results...>  show several results side by side, a column for
                                     each, as a page, Markdown or JSON
      openapi [options]              print the OpenAPI 3.1 description of the APIs
      asyncapi [options]             print the AsyncAPI 3.0 description of the
                                     callbacks
      init [options]                 write a commented config file,
                                     gatecheck.config.ts
      completion <shell>             print the completion script for bash, zsh or
                                     fish
      help [command]                 print the help of a command
    "
  `);
});

test('init writes a config that plan takes, and does not overwrite it unasked', () => {
  const folder = folderWith({ 'package.json': '{}' });
  expect(gatecheck(['init'], { folder }).status).toBe(0);
  expect(gatecheck(['plan', '--seed', '7'], { folder })).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(join(folder, 'gatecheck.config.ts'), '// mine');
  expect(gatecheck(['init'], { folder })).toMatchObject({ status: 2 });
  expect(readFileSync(join(folder, 'gatecheck.config.ts'), 'utf8')).toBe('// mine');
  expect(gatecheck(['init', '--force'], { folder }).status).toBe(0);
  expect(readFileSync(join(folder, 'gatecheck.config.ts'), 'utf8')).toMatch(/defineConfig/);
});

test.each([
  ['process.exit(0);', /^error: Expected nobody else to end this process; got process\.exit\(0\) by .*\n$/],
  [
    'setTimeout(() => { throw new TypeError("oops"); });\nawait new Promise((end) => setTimeout(end, 2000));',
    /^error: Expected code of your own .*; got TypeError: oops\. .*gatecheck\.config\.mjs:1:\d+, .*\n$/,
  ],
])('code of the user that ends the process passes nothing: %s', (text, said) => {
  const folder = folderWith({ 'gatecheck.config.mjs': `${text}\nexport default {};` });
  const { status, stdout, stderr } = gatecheck(['plan', '--config', 'gatecheck.config.mjs'], { folder });
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toMatch(said);
});

test('a variable that nobody knows is told, unless the config names it', async () => {
  const env = { GATECHECK_QA_KEY: 's3cret-a', GATECHECK_QA_OTHER: 's3cret-b' };
  const folder = folderWith({ 'gatecheck.config.yaml': 'keys: { primary: env:GATECHECK_QA_KEY }' });
  const { status, stderr } = await line(['plan', '--target', 'embedded'], { folder, env });
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'Warning: GATECHECK_QA_OTHER: no such variable, it has no effect\n',
  });
});

test('requirements prints the rows that were asked for', async () => {
  const { status, stdout } = await line(['requirements', '--format', 'json', '--only', 'WCI-STS-001']);
  expect(status).toBe(0);
  expect((JSON.parse(stdout) as { requirements: unknown[] }).requirements).toMatchObject([
    { id: 'WCI-STS-001' },
  ]);
});

test('a reader that goes away early is no error', () => {
  const line = `{ '${process.execPath}' '${main}' requirements; echo "code $?" >&2; } | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stderr).toBe('code 0\n');
});
