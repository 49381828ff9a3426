import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareReportDir } from './reportDir.ts';
import { giveReportDirBack, holderOf, holdFile, lastHolderOf, takeReportDir } from './reportHold.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatecheck-hold-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const file = () => join(dir, holdFile);
const module = JSON.stringify(join(import.meta.dirname, 'reportHold.ts'));
const taking = () => `import(${module}).then(({ takeReportDir }) => {
  takeReportDir(${JSON.stringify(dir)});
  process.stdout.write('taken');
`;

test('a directory that another process writes to is refused, and what it wrote stays', async () => {
  const child = spawn(process.execPath, ['-e', `${taking()} setInterval(() => {}, 1000); })`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  writeFileSync(join(dir, 'evidence.ndjson'), 'of the other one');
  await expect(prepareReportDir(dir, 'run-2', dir)).rejects.toMatchObject({
    code: 'REPORT_DIR_TAKEN',
    exitCode: 2,
    message: expect.stringContaining(`(process ${child.pid})`) as string,
  });
  expect(readFileSync(join(dir, 'evidence.ndjson'), 'utf8')).toBe('of the other one');
  child.kill('SIGKILL');
  await once(child, 'close');
  // A killed one is remembered, and in nobody's way.
  expect([holderOf(dir), lastHolderOf(dir)?.pid]).toEqual([null, child.pid]);
  expect(await prepareReportDir(dir, 'run-3', dir)).toBe(dir);
  giveReportDirBack(dir);
  expect(existsSync(file())).toBe(false);
});

test('a process that ends gives its directories back', () => {
  const { stdout } = spawnSync(process.execPath, ['-e', `${taking()} })`], { encoding: 'utf8' });
  expect([stdout, existsSync(file())]).toEqual(['taken', false]);
});

test.each([
  ['of another process with the same id', { process: '0' }, process.platform === 'linux' ? null : 'any'],
  ['of another machine', { host: `not-${hostname()}` }, null],
  ['of a process that is gone', { pid: 2 ** 30 }, null],
  ['of this process', { pid: process.pid }, null],
])('what stands there %s is in nobody’s way', (_what, change, holder) => {
  const parent = { pid: process.ppid, host: hostname(), process: null, since: '2026-11-23T08:00:00.000Z' };
  writeFileSync(file(), JSON.stringify(parent));
  expect(takeReportDir(dir)).toEqual(parent);
  writeFileSync(file(), JSON.stringify({ ...parent, ...change }));
  if (holder === null) expect(takeReportDir(dir)).toBeNull();
  giveReportDirBack(dir);
});

test.each(['', '{}', 'not JSON', '[]'])('a file of another form counts for nothing: %j', (text) => {
  writeFileSync(file(), text);
  expect([lastHolderOf(dir), takeReportDir(dir)]).toEqual([null, null]);
  giveReportDirBack(dir);
});

test('however often a directory is taken, the process is listened to once', () => {
  takeReportDir(dir);
  giveReportDirBack(dir);
  const before = process.listenerCount('exit');
  for (let turn = 0; turn < 20; turn += 1) {
    takeReportDir(dir);
    giveReportDirBack(dir);
  }
  expect(process.listenerCount('exit')).toBe(before);
});
