import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLines } from '../report/har/readLines.ts';
import { keepAll } from './keep.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-keep-'));
});
afterAll(() => rm(dir, { recursive: true }));

const linesOf = async (path: string) => {
  for await (const line of readLines(path)) if (line === 'never') return;
};

describe('what could not be kept', () => {
  test.each<[what: string, write: () => Promise<unknown>, code: string, says: RegExp]>([
    [
      'a file that cannot be written',
      () => writeFile(join(dir, 'none', 'result.json'), ''),
      'NOT_WRITTEN',
      /^Expected to write the reports to .*none: ENOENT/,
    ],
    [
      'evidence that cannot be read',
      () => linesOf(join(dir, 'evidence.ndjson')),
      'NOT_READ',
      /^Expected to read the evidence from .*evidence\.ndjson: ENOENT/,
    ],
    [
      'a file of Gatecheck that cannot be read',
      () => readFile(join(import.meta.dirname, 'no-such-script.ts')),
      'NOT_READ',
      /^Expected to read what the reports are made with from .*no-such-script\.ts: ENOENT/,
    ],
    [
      'a mistake of Gatecheck',
      () => Promise.reject(new TypeError('x is not a function')),
      'NOT_MADE',
      /^Gatecheck itself failed while it made the reports: x is not a function/,
    ],
  ])('%s', async (_what, write, code, says) => {
    const failure = await keepAll(dir, [{ what: 'the reports', write }]);
    expect(failure).toMatchObject({ code, exitCode: 70 });
    expect(failure?.message).toMatch(says);
  });

  test('does not keep the rest from being written, and the first failure counts', async () => {
    const failure = await keepAll(dir, [
      { what: 'the evidence', write: () => Promise.reject(new Error('first')) },
      { what: 'the reports', write: () => writeFile(join(dir, 'written.txt'), 'yes') },
      { what: 'the rest', write: () => Promise.reject(new Error('second')) },
    ]);
    expect(failure?.message).toMatch(/made the evidence: first/);
    expect(await readFile(join(dir, 'written.txt'), 'utf8')).toBe('yes');
  });
});
