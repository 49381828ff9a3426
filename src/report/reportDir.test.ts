import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareReportDir } from './reportDir.ts';
import { giveReportDirBack, holdFile } from './reportHold.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(root, { recursive: true }));

const refusal = expect.objectContaining({
  code: 'REPORT_DIR',
  exitCode: 2,
  hint: expect.stringContaining('--report-dir') as string,
}) as unknown;

it('makes a folder for the run and a relative link to it, without leaving a trace of the probe', async () => {
  const dir = await prepareReportDir(null, 'run-1', root);
  expect(dir).toBe(join(root, 'reports', 'run-1'));
  expect(await readdir(dir)).toEqual([holdFile]);
  giveReportDirBack(dir);
  expect(await readdir(dir)).toEqual([]);
  expect(await readlink(join(root, 'reports', 'latest'))).toBe('run-1');
});

it('moves the link to the newest run, also where an earlier one is a text file', async () => {
  await prepareReportDir(null, 'run-1', root);
  await prepareReportDir(null, 'run-2', root);
  expect(await readlink(join(root, 'reports', 'latest'))).toBe('run-2');
  await rm(join(root, 'reports', 'latest'));
  await writeFile(join(root, 'reports', 'latest'), 'run-2\n');
  await prepareReportDir(null, 'run-3', root);
  expect((await readdir(join(root, 'reports'))).sort()).toEqual(['latest', 'run-1', 'run-2', 'run-3']);
  expect(await readlink(join(root, 'reports', 'latest'))).toBe('run-3');
});

it('removes what an earlier run left in a named directory, touches nothing else there, and makes no link', async () => {
  const dir = join(root, 'out');
  await mkdir(dir);
  for (const name of ['result.json', 'evidence.ndjson', 'evidence.har', 'notes.txt'])
    await writeFile(join(dir, name), 'old');
  expect(await prepareReportDir('out', 'run-1', root)).toBe(dir);
  giveReportDirBack(dir);
  expect(await readdir(dir)).toEqual(['notes.txt']);
  expect(await readdir(root)).toEqual(['out']);
});

it('refuses a path that is a file', async () => {
  await writeFile(join(root, 'out'), 'mine');
  await expect(prepareReportDir('out', 'run-1', root)).rejects.toEqual(refusal);
  expect(await readFile(join(root, 'out'), 'utf8')).toBe('mine');
});

it('refuses a directory in which a report cannot be written', async () => {
  await mkdir(join(root, 'out', 'result.json'), { recursive: true });
  await expect(prepareReportDir('out', 'run-1', root)).rejects.toEqual(refusal);
});

it('refuses to replace a directory that is named as the link', async () => {
  await mkdir(join(root, 'reports', 'latest', 'precious'), { recursive: true });
  await expect(prepareReportDir(null, 'run-1', root)).rejects.toEqual(refusal);
  expect(await readdir(join(root, 'reports', 'latest'))).toEqual(['precious']);
});
