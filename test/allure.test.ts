import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestResult } from 'allure-js-commons';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { documentedPolicy } from '../src/reference/policy.ts';
import { defects } from '../src/reference/defects.ts';

const run = promisify(execFile);
let folder = '';
let sandbox: Sandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatecheck-allure-'));
  const defect = defects.find(({ id }) => id === 'status-alias-unknown');
  sandbox = await openSandbox({ policy: { ...documentedPolicy, ...defect?.policy } });
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

test('allure renders a run with its steps, attachments and history', async () => {
  const results = join(folder, 'run', 'allure-results');
  const options = ['--only', 'wci.status*', '--seed', '1', '--yes', '--report-dir', join(folder, 'run')];
  const env = { ...process.env, GATECHECK_KEYS_PRIMARY: sandbox.keys.join(',') };
  const target = ['--target', sandbox.url, '--max-quota', '20'];
  const ended = await run(process.execPath, ['src/cli/main.ts', 'run', ...target, ...options], { env }).catch(
    (error: unknown) => error as { readonly code: number },
  );
  expect(ended).toMatchObject({ code: 1 });

  const tests = await resultsIn(results);
  const failed = tests.filter(({ status }) => String(status) === 'failed');
  expect(failed.length).toBeGreaterThan(0);
  const [one] = failed[0]?.steps[0]?.steps.slice(-1) ?? [];
  const source = one?.attachments[0]?.source ?? '';
  expect(await readFile(join(results, source), 'utf8')).toMatch(/^(?:GET|POST) .*\n[^]*\n\nHTTP \d{3}\n/);

  const history = join(folder, 'history.jsonl');
  const config = join(folder, 'allurerc.mjs');
  await writeFile(config, `export default { historyPath: ${JSON.stringify(history)} };\n`);
  const report = join(folder, 'report');
  const generate = ['node_modules/.bin/allure', 'generate', results, '--config', config, '-o', report];
  await run(process.execPath, generate);
  await run(process.execPath, generate);
  expect(await readFile(join(report, 'index.html'), 'utf8')).toContain('<html');
  const past = (await readFile(history, 'utf8')).trim().split('\n');
  expect(past).toHaveLength(2);
  expect(past[1]).toContain(failed[0]?.name ?? 'no name');
});

async function resultsIn(dir: string): Promise<readonly TestResult[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('-result.json'));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(join(dir, name), 'utf8')) as TestResult),
  );
}

test('the checks as tests of vitest leave a result each by allure-vitest', async () => {
  const results = join(folder, 'checks');
  const env = {
    ...process.env,
    ALLURE_RESULTS_DIR: results,
    GATECHECK_TARGET: 'embedded',
    GATECHECK_REPORT_DIR: join(folder, 'vitest'),
  };
  const suite = 'suites/flight-alerts/lookup.suite.ts';
  const vitest = ['node_modules/.bin/vitest', 'run', '--project', 'suites', suite, '-t', 'leap'];
  await run(process.execPath, vitest, { env });
  const passed = (await resultsIn(results)).filter(({ status }) => String(status) === 'passed');
  expect(passed.map(({ name }) => name)).toContainEqual(expect.stringContaining('[fla.lookup.leap-day]'));
});
