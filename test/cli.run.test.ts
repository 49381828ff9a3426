import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeployment, type Deployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { listen, type Listening } from '../src/reference/listen.ts';
import { freePort } from './support/freePort.ts';
import { cloneEnv } from './support/startEnv.ts';

const main = join(import.meta.dirname, '../src/cli/main.ts');
const { enterprises, keys } = defaultEnterprises(1);
const [key = ''] = keys.primary;
const limits = { perMinute: 5, perHour: 1000 };

let deployment: Deployment;
let target: Listening;
beforeAll(async () => {
  deployment = createDeployment({ enterprises, limits });
  target = await listen(deployment);
});
afterAll(async () => {
  await target.close();
  await deployment.close();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
}

/** Runs `gatecheck run` in a folder of its own; `meanwhile` sees what it says on stderr. */
async function run(
  url: string,
  env: Record<string, string>,
  meanwhile?: (child: ChildProcess, said: string) => void,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-run-'));
  writeFileSync(join(folder, 'gatecheck.config.yaml'), `limits: { perMinute: ${limits.perMinute} }`);
  const child = spawn(process.execPath, [main, 'run', '--target', url], {
    cwd: folder,
    env: { ...cloneEnv, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    meanwhile?.(child, stderr);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr, folder };
}

/** Everything that a run left in its folder, as one text. */
function leftIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n');
}

test('Ctrl-C ends a run that waits, with exit code 130, the reports written, and the key nowhere', async () => {
  let interrupted = false;
  const ended = await run(target.url, { GATECHECK_KEYS_PRIMARY: key }, (child, said) => {
    if (interrupted || !said.includes('waiting')) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  expect(ended.code).toBe(130);
  expect(ended.stdout).toMatch(/The run was interrupted/);
  expect(readdirSync(join(ended.folder, 'reports/latest'))).toContain('result.json');
  expect(ended.stdout + ended.stderr + leftIn(ended.folder)).not.toContain(key);
});

test('a second Ctrl-C ends it at once', async () => {
  let count = 0;
  const ended = await run(target.url, { GATECHECK_KEYS_PRIMARY: keys.primary[1] ?? '' }, (child, said) => {
    if (count > 0 || !said.includes('waiting')) return;
    count += 1;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGTERM'), 300);
  });
  expect(ended.code).toBe(130);
});

test('a key that is refused is inconclusive: exit code 3', async () => {
  const { code, stdout, stderr } = await run(target.url, { GATECHECK_KEYS_PRIMARY: keys.revoked });
  expect({ code, crashed: stderr.includes('broke') }).toEqual({ code: 3, crashed: false });
  expect(stdout + stderr).not.toContain(keys.revoked);
});

test('a target that cannot be reached is inconclusive: exit code 3', async () => {
  const { code, stderr } = await run(`http://127.0.0.1:${await freePort()}`, { GATECHECK_KEYS_PRIMARY: key });
  expect({ code, crashed: stderr.includes('broke') }).toEqual({ code: 3, crashed: false });
});
