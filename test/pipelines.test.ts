import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingsBut } from '../src/cli/command.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { jenkinsFaults } from './support/xmlSchema.ts';

// What runs in the services of others runs here as far as it goes without them: the commands, with what they leave behind.

interface ActionStep {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const action = parse(read('action.yml')) as Action;
let folder = '';
let sandbox: Sandbox;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-ci-'));
  sandbox = await openSandbox();
  // Stands for npm: what is installed is this checkout.
  mkdirSync(join(folder, 'bin'));
  const shim = `#!/bin/sh\n[ "$1" = ci ] && exit 0\nshift 2\nexec ${process.execPath} ${root}/bin/gatecheck.js "$@"\n`;
  for (const name of ['npm', 'npx']) {
    writeFileSync(join(folder, 'bin', name), shim);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const nodeFolder = join(process.execPath, '..');

async function bash(command: string, env: Readonly<Record<string, string>>) {
  const all = {
    PATH: `${join(folder, 'bin')}:${nodeFolder}:${process.env.PATH ?? ''}`,
    GATECHECK_KEYS_PRIMARY: sandbox.keys.join(','),
    ...env,
  };
  return promisify(execFile)('bash', ['-eo', 'pipefail', '-c', command], { cwd: folder, env: all }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { readonly code: number; readonly stdout: string },
  );
}

/** The value of an expression as the runner puts it in. */
function filled(text: string, inputs: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputs[name] ?? '');
}

test('the action has an input for each option of a run', () => {
  const options = settingsBut().map(({ flag = '' }) => flag.replace(/^--([\w-]+).*$/, '$1'));
  const own = ['artifact', 'node-version'];
  expect(Object.keys(action.inputs).sort()).toEqual([...options, ...own].sort());
  const env = action.runs.steps.find(({ id }) => id === 'run')?.env ?? {};
  expect(env).toEqual(
    Object.fromEntries(
      options.map((name) => [`INPUT_${name.replaceAll('-', '_').toUpperCase()}`, `\${{ inputs.${name} }}`]),
    ),
  );
});

test('an option without a value is given without one', async () => {
  const flags = settingsBut().flatMap(({ flag = '' }) => (flag.includes('<') ? [] : [flag.slice(2)]));
  const inputs = flags.map((name) => [`INPUT_${name.replaceAll('-', '_').toUpperCase()}`, 'true'] as const);
  const path = join(folder, 'printed');
  mkdirSync(join(path, 'bin'), { recursive: true });
  writeFileSync(join(path, 'bin/gatecheck.js'), 'console.log(process.argv.slice(2).join(" "))');
  const { stdout } = await bash(`bash ${root}/ci/github/run.sh`, {
    GITHUB_ACTION_PATH: path,
    ...Object.fromEntries(inputs),
  });
  expect(stdout.trim().split(' ').sort()).toEqual(
    ['run', '--yes', ...flags.map((name) => `--${name}`)].sort(),
  );
});

test('the steps of the action run the checks, annotate, summarize, and set the outputs that it names', async () => {
  const given = {
    target: sandbox.url,
    only: 'wci.status*\nwci.list.defaults',
    'max-quota': '10',
    'report-dir': 'out',
  };
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, input.default]),
  );
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_OUTPUT: join(folder, 'output'),
  };
  const codes: number[] = [];
  for (const { run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const own = Object.entries(env).map(([name, value]) => [name, filled(value, { ...inputs, ...given })]);
    codes.push((await bash(run, { ...github, ...(Object.fromEntries(own) as Record<string, string>) })).code);
  }
  expect(codes).toEqual([0, 0]);
  const outputs = readFileSync(github.GITHUB_OUTPUT, 'utf8');
  for (const { value } of Object.values(action.outputs))
    expect(outputs).toContain(`${/outputs\.([\w-]+)/.exec(value)?.[1] ?? '?'}=`);
  expect(outputs).toContain('report-dir=out\n');
  expect(readFileSync(github.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
    /Gatecheck: conformant \(\d+ of \d+ requirements selected\)/,
  );
});

test('an input that is wrong fails the step with the exit code of a usage error', async () => {
  const { code } = await bash(`bash ${root}/ci/github/run.sh`, {
    GITHUB_ACTION_PATH: root,
    INPUT_PROFILE: 'no such',
  });
  expect(code).toBe(2);
});

interface GitlabJob {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly reports: { readonly junit: string };
  };
}

const options = () => `--target ${sandbox.url} --only wci.status* --max-quota 10`;

test('the job of GitLab leaves the reports that it names, valid', async () => {
  const { '.gatecheck': job } = parse(read('ci/gitlab/gatecheck.gitlab-ci.yml')) as Record<
    '.gatecheck',
    GitlabJob
  >;
  for (const line of [...job.before_script, ...job.script])
    expect(await bash(line, { CONFORMANCE_OPTIONS: options() })).toMatchObject({ code: 0 });
  const { junit } = job.artifacts.reports;
  expect(await jenkinsFaults(readFileSync(join(folder, junit), 'utf8'))).toEqual([]);
});

test('the commands of the Jenkinsfile run, and leave what it publishes', async () => {
  const text = read('ci/jenkins/Jenkinsfile');
  const code = text.replace(/\/\/.*$/gm, '').replace(/'[^']*'/g, '');
  for (const [open, close] of ['{}', '()', '[]'])
    expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
  rmSync(join(folder, 'gatecheck-report'), { recursive: true, force: true });
  const commands = [...text.matchAll(/^\s*sh '(.*)'$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(2);
  for (const command of commands)
    expect(await bash(command, { CONFORMANCE_OPTIONS: options() })).toMatchObject({ code: 0 });
  const published = [...text.matchAll(/'(gatecheck-report\/[\w.-]+)'/g)].map(([, path = '']) => path);
  expect(published).toEqual(['gatecheck-report/junit.xml']);
  for (const path of published) expect(existsSync(join(folder, path))).toBe(true);
});
