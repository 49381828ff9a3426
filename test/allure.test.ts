import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatecheck-allure-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a run leaves Allure results of its checks, and allure renders them', async () => {
  const options = ['--only', 'wci.status*', '--seed', '1', '--report-dir', join(folder, 'run')];
  await run(process.execPath, ['src/cli/main.ts', 'run', ...options]);
  const results = join(folder, 'run', 'allure-results');
  const statuses = await statusesOf(results);
  expect(statuses.get('wci.status.own')).toBe('passed');
  expect([...statuses.values()]).not.toContain('broken');

  await run(process.execPath, [
    'node_modules/.bin/allure',
    'generate',
    results,
    '-o',
    join(folder, 'report'),
  ]);
  const page = await readFile(join(folder, 'report', 'index.html'), 'utf8');
  expect(page).toContain('<html');
});

async function statusesOf(results: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(results)).filter((name) => name.endsWith('-result.json'));
  const parsed = await Promise.all(
    files.map(
      async (name) =>
        JSON.parse(await readFile(join(results, name), 'utf8')) as { name: string; status: string },
    ),
  );
  return new Map(parsed.map(({ name, status }) => [/\[(.*)\]$/.exec(name)?.[1] ?? name, status]));
}
