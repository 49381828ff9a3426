import { describe, expect, it } from 'vitest';
import { readSuites } from '../../engine/session/suites.ts';
import { defects } from '../../reference/defects.ts';
import { checksFor, isShown } from './runJob.ts';

const checks = await readSuites();
const row = defects.find(({ kills }) => kills.includes('WCI-LST-027'));

describe('the checks that begin with a defect', () => {
  it('are those of its rows, those with which every run ends, and about the share of the others', () => {
    const { id = '', kills = [] } = row ?? {};
    const chosen = checksFor({ defect: id, others: 0.25, draw: 7 }, checks) ?? new Set();
    const own = checks.filter(({ verifies }) => verifies.some((one) => kills.includes(one)));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ id: check }) => !chosen.has(check))).toEqual([]);
    expect(chosen).toContain('wci.list.last-look');
    expect(chosen.size / checks.length).toBeGreaterThan(0.15);
    expect(chosen.size / checks.length).toBeLessThan(0.35);
  });

  it('are drawn by a number', () => {
    const drawn = (draw: number) => checksFor({ defect: row?.id ?? '', others: 0.25, draw }, checks);
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(8)).not.toEqual(drawn(7));
  });

  it('are all of them for a conforming deployment, and where no share is given', () => {
    expect(checksFor({ defect: null, others: 0.25, draw: 7 }, checks)).toBeUndefined();
    expect(checksFor({ defect: row?.id ?? '', others: 1, draw: 7 }, checks)).toBeUndefined();
  });
});

describe('a defect', () => {
  it('names only rows that checks verify', () => {
    const verified = new Set(checks.flatMap(({ verifies }) => verifies));
    const wrong = defects.flatMap(({ id, kills, alsoFail }) =>
      [...kills, ...alsoFail].filter((named) => !verified.has(named)).map((named) => `${id}: ${named}`),
    );
    expect(wrong, 'correct these ids in src/reference/defects/, or register the oracle').toEqual([]);
  });

  const broken = (status: 'fail' | 'warn') =>
    (row?.kills ?? []).map((id) => ({ id, level: 'must' as const, status, reason: null, samples: 1 }));

  it('is shown where all its rows are broken', () => {
    expect(isShown({ defect: row?.id ?? '' }, { rows: broken('fail') })).toBe(true);
  });

  it('is not shown where one is missing or merely warns', () => {
    expect(isShown({ defect: row?.id ?? '' }, { rows: broken('fail').slice(1) })).toBe(false);
    expect(isShown({ defect: row?.id ?? '' }, { rows: broken('warn') })).toBe(false);
  });
});
