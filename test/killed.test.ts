import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../src/index.ts';
import { killedRun, killFaults, undisturbedRun } from './hostile/kills.ts';
import { endOf, programOf, verdictsOf, withProgram } from './support/killedRun.ts';

// A hundred kills, with their figures, are part of `npm run hostile`.

const onLinux = test.runIf(process.platform === 'linux');
const slow = { selection: [], answerMs: 30 };

onLinux(
  'a run that is killed leaves a report made of its journal, with all that it left behind',
  { timeout: 120_000 },
  () =>
    withProgram(slow, async (program) => {
      const ended = await program.killedAt({ requests: 60, ms: 0 }, false);
      expect(ended.code).toBe(70);
      expect(ended.text).toContain('Gatecheck itself failed: it was killed (SIGKILL)');
      const result = program.expected();
      expect([result.run.end, result.summary.exitCode]).toEqual(['cut-short', 70]);
      expect(result.summary.passed).toBeGreaterThan(0);
      expect(result.summary.failed).toBe(0);
      expect(program.lost(result)).toEqual([]);
    }),
);

onLinux('a run whose launcher is killed ends with it, and writes its reports', { timeout: 120_000 }, () =>
  withProgram(slow, async (program) => {
    const { target } = program;
    const child = program.start('--report-dir', 'out');
    await expect.poll(target.requests, { timeout: 60_000 }).toBeGreaterThan(30);
    const below = programOf(child);
    expect(below).not.toBeNull();
    child.kill('SIGKILL');
    const sent = target.requests();
    await expect.poll(() => existsSync(join(program.out, 'result.json')), { timeout: 20_000 }).toBe(true);
    expect(program.result()?.run.end).toBe('interrupted');
    expect(target.requests() - sent).toBeLessThan(8);
    await endOf(child);
  }),
);

onLinux(
  'runs that are killed at moments over their whole length come to the verdicts of one that was not, and lose nothing',
  { timeout: 240_000 },
  async () => {
    const whole = await undisturbedRun();
    const kills = await Promise.all([1, 4, 7].map((index) => killedRun(index, 9, whole)));
    expect(kills.map(killFaults)).toEqual([[], [], []]);
    expect(kills.every(({ when }) => when === 'within')).toBe(true);
  },
);

onLinux(
  'a run that is killed while it confirms what failed comes to the same findings, each confirmed as often',
  { timeout: 120_000 },
  async () => {
    const options = { selection: ['--only', 'WCI-UPD-027'], answerMs: 20, defect: 'update-merges-fields' };
    // A passive check counts all traffic, also that of the case that was begun twice.
    const findingsOf = ({ findings }: RunResult) =>
      findings.map(({ fingerprint, check, confirmed }) =>
        check.includes('.passive.') ? fingerprint : `${fingerprint} ${confirmed}`,
      );
    const whole = await withProgram(options, async (program) => {
      await program.whole('--report-dir', 'out');
      return program.expected();
    });
    expect(whole.findings.length).toBeGreaterThan(0);
    await withProgram(options, async (program) => {
      // All that failed was seen by then, and none of it had been repeated to its end.
      const come = await program.killedAndResumed({ requests: 87, ms: 10 }, true);
      const resumed = program.expected();
      expect([come.when, come.end, come.lost]).toEqual(['within', 'completed', []]);
      expect(verdictsOf(resumed)).toEqual(verdictsOf(whole));
      expect(findingsOf(resumed)).toEqual(findingsOf(whole));
    });
  },
);

onLinux('a run that is resumed keeps its budgets, and judges nothing twice', { timeout: 120_000 }, () =>
  withProgram(
    { selection: ['--only', 'WCI-STS-*', '--only', 'SHR-AUT-00*'], answerMs: 20 },
    async (program) => {
      await program.whole('--report-dir', 'whole');
      const alone = program.target.requests();
      await program.killedAt({ requests: alone + alone * 0.8, ms: 0 }, false);
      const before = program.target.requests();
      await program.bare('--resume', 'out');
      const whole = program.expected(join(program.out, '../whole'));
      const resumed = program.expected();
      expect(resumed.run.end).toBe('completed');
      expect(verdictsOf(resumed)).toEqual(verdictsOf(whole));
      expect(program.target.requests() - before).toBeLessThan(alone);
    },
  ),
);
