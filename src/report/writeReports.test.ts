import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleResult } from '../../test/support/sampleResult.ts';
import { resultSchema } from './result.ts';
import { writeReports } from './writeReports.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('writes every report, and the HAR only where there is evidence', async () => {
  const names = ['ctrf.json', 'junit.xml', 'report.html', 'result.json', 'summary.md'];
  const paths = await writeReports(sampleResult(), dir);
  expect(paths.map((path) => basename(path)).sort()).toEqual(names);
  expect((await readdir(dir)).sort()).toEqual(['allure-results', 'history.json', ...names].sort());
  await writeFile(join(dir, 'evidence.ndjson'), '');
  expect((await writeReports(sampleResult(), dir)).at(-1)).toBe(join(dir, 'evidence.har'));
});

it('writes a result that can be read again, whatever bytes stand in it', async () => {
  const result = sampleResult({
    openPoints: [{ id: 'WCI-OPN-001', title: '\ud800\u0000', observed: null, pinned: null }],
  });
  await writeReports(result, dir);
  const text = await readFile(join(dir, 'result.json'), 'utf8');
  expect(resultSchema.parse(JSON.parse(text))).toEqual(result);
});
