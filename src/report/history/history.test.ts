import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import { renderHistory } from '../html/history.ts';
import { historyFile } from '../reportDir.ts';
import type { RunResult } from '../result.ts';
import { changeOf, noHistory, parseHistory, standingSince, keepHistory } from './history.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(root, { recursive: true }));

function run(day: number, failing: readonly string[], given: Partial<RunResult> = {}): RunResult {
  const sample = sampleResult(given);
  const ids = ['WCI-SUB-001', 'WCI-SUB-002', 'WCI-SUB-003'];
  return {
    ...sample,
    run: { ...sample.run, id: `run-${day}`, startedAt: `2026-01-0${day}T10:00:00.000Z`, ...given.run },
    requirements: ids.map((id) => sampleRequirement({ id, verdict: failing.includes(id) ? 'fail' : 'pass' })),
  };
}

/** A report directory with the name that runs give it. */
async function folder(day: number): Promise<string> {
  const dir = join(root, `2026-01-0${day}-100000-aaaaaa`);
  await mkdir(dir, { recursive: true });
  return dir;
}

it('a run goes on from the newest report beside it of the same target', async () => {
  await keepHistory(run(1, ['WCI-SUB-001']), await folder(1));
  await keepHistory(run(2, ['WCI-SUB-001', 'WCI-SUB-002']), await folder(2));
  const other = run(3, []);
  await keepHistory({ ...other, target: { ...other.target, name: 'another' } }, await folder(3));
  const last = run(4, ['WCI-SUB-002', 'WCI-SUB-003']);
  const history = await keepHistory(last, await folder(4));
  expect(history.runs.map((one) => [one.run, one.failing.length])).toEqual([
    ['run-1', 1],
    ['run-2', 2],
    ['run-4', 2],
  ]);
  expect(changeOf(history, last)).toMatchObject({ fresh: ['WCI-SUB-003'], fixed: ['WCI-SUB-001'] });
  expect(standingSince(history, 'WCI-SUB-003')).toBe('new in this run');
  expect(standingSince(history, 'WCI-SUB-002')).toBe('failed in 2 of 3 runs, first 2026-01-02');
  expect(standingSince(history, 'WCI-SUB-001')).toBeNull();
  const page = renderHistory(history, last)?.markup ?? '';
  expect(page).toContain('href="../2026-01-02-100000-aaaaaa/report.html"');
  expect(page.replace(/\s+/g, ' ')).toContain(`1 requirement newly failing (<a href="#WCI-SUB-003">`);
});

it('a directory that is used again, or brought along, has the history itself; rendering again adds nothing', async () => {
  const dir = join(root, 'report');
  await mkdir(dir);
  await keepHistory(run(1, []), dir);
  await keepHistory(run(2, ['WCI-SUB-001']), dir);
  const again = await keepHistory(run(2, ['WCI-SUB-001']), dir);
  expect(again.runs.map((one) => one.run)).toEqual(['run-1', 'run-2']);
  expect(parseHistory(await readFile(join(dir, historyFile), 'utf8'))).toEqual(again);
});

it('remembers thirty runs, and nothing of a load', async () => {
  const dir = await folder(1);
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, index)).toISOString();
  let history = noHistory;
  for (let index = 0; index < 33; index += 1) {
    const one = run(1, []);
    history = await keepHistory({ ...one, run: { ...one.run, id: `r${index}`, startedAt: at(index) } }, dir);
  }
  expect([history.runs.length, history.runs[0]?.run]).toEqual([30, 'r3']);
  const load = { load: {} as NonNullable<RunResult['load']> };
  expect(await keepHistory(sampleResult(load), await folder(2))).toBe(noHistory);
});

describe('a comparison', () => {
  test('of a whole run passes over selections before it', async () => {
    const dir = join(root, 'report');
    await mkdir(dir);
    await keepHistory(run(1, ['WCI-SUB-001']), dir);
    const selection = run(2, []);
    await keepHistory({ ...selection, run: { ...selection.run, only: ['WCI-SUB-002'] } }, dir);
    const last = run(3, ['WCI-SUB-001']);
    const change = changeOf(await keepHistory(last, dir), last);
    expect([change?.before.run, change?.fresh]).toEqual(['run-1', []]);
  });

  test('of the first run is none', async () => {
    const history = await keepHistory(run(1, []), await folder(1));
    expect(changeOf(history, run(1, []))).toBeNull();
    expect(renderHistory(history, run(1, []))).toBeNull();
  });
});

it.each(['', 'null', '[]', '{"target":"x"}', '{"target":"x","runs":[{}]}', '{"target":1,"runs":[]}'])(
  'what is no history, such as %s, is passed over',
  async (text) => {
    const dir = await folder(1);
    await writeFile(join(dir, historyFile), text);
    expect((await keepHistory(run(1, []), dir)).runs).toHaveLength(1);
  },
);
