import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeSampleReport } from '../../test/support/sampleReports.ts';
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

it('tells the case of a finding alike in every format', async () => {
  await writeSampleReport('failing', dir);
  const allure = await readdir(join(dir, 'allure-results'));
  const files = [...allure.map((name) => `allure-results/${name}`), 'ctrf.json', 'junit.xml', 'summary.md'];
  const texts = await Promise.all(files.map((name) => readFile(join(dir, name), 'utf8')));
  const told = files.filter((_, index) =>
    texts[index]?.includes('3. callback c8 POST /box: answered 200 +600 ms ← breaks the rule'),
  );
  expect(told.map((name) => name.replace(/\/.*/, ''))).toEqual([
    ...['allure-results', 'ctrf.json', 'junit.xml', 'summary.md'],
  ]);
});

it('writes a result that can be read again, whatever bytes stand in it', async () => {
  const result = sampleResult({
    openPoints: [{ id: 'WCI-OPN-001', title: '\ud800\u0000', observed: null, pinned: null }],
  });
  await writeReports(result, dir);
  const text = await readFile(join(dir, 'result.json'), 'utf8');
  expect(resultSchema.parse(JSON.parse(text))).toEqual(result);
});
