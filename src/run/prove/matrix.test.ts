import { expect, test } from 'vitest';
import type { Defect } from '../../reference/defects/row.ts';
import type { JobResult } from './job.ts';
import { isProved, toMatrix } from './matrix.ts';
import { renderProofConsole } from './prove.ts';

const defect: Defect = {
  ...{ id: 'some-defect', api: 'webcheckin', breaks: 'Something is wrong.', policy: {}, conditional: false },
  ...{ kills: ['WCI-LST-001'], alsoFail: [] },
};

type Row = Pick<JobResult['rows'][number], 'id' | 'level' | 'status'>;

/** The matrix of this one defect if its row, and another one, end like this. */
function matrixOf(rows: readonly Row[], verified: readonly string[] = defect.kills) {
  const result: JobResult = {
    ...{
      job: 'one',
      requests: 1,
      requestsToFirstFinding: 1,
      watched: ['WCI-LST-001'],
      tellers: [],
      leads: ['WCI-LST-001'],
      cpuMs: 1,
      fault: null,
    },
    rows: rows.map((row) => ({ ...row, reason: null, samples: 3 })),
  };
  return toMatrix({
    jobs: [{ id: 'one', dialect: 'documented', defect: defect.id } as never],
    results: [result],
    defects: [defect],
    ...{ verified: new Set(verified), sent: new Set<string>() },
  });
}

function statusOf(...rows: readonly Row[]) {
  const { defects } = matrixOf(rows);
  return defects.map(({ status, missed, warned, beyond }) => ({ status, missed, warned, beyond }));
}

test('a must that fails and a should that warns are killed', () => {
  const killed = [{ status: 'killed', missed: [], warned: [], beyond: [] }];
  expect(statusOf({ id: 'WCI-LST-001', level: 'must', status: 'fail' })).toEqual(killed);
  expect(statusOf({ id: 'WCI-LST-001', level: 'should', status: 'warn' })).toEqual(killed);
});

test('a must that merely warns is missed, since a release would pass', () => {
  expect(statusOf({ id: 'WCI-LST-001', level: 'must', status: 'warn' })).toMatchObject([
    { status: 'missed', missed: ['WCI-LST-001'], warned: ['WCI-LST-001'] },
  ]);
});

test('a row that is missed says why', () => {
  const lineOf = (...rows: Row[]) => renderProofConsole(matrixOf(rows)).split('not found: ')[1]?.trim();
  const row = { id: 'WCI-LST-001', level: 'must' } as const;
  expect(lineOf({ ...row, status: 'warn' })).toBe('WCI-LST-001 (merely warned)');
  expect(lineOf({ ...row, status: 'pass' })).toBe('WCI-LST-001 (judged 3 times, and it held each time)');
  expect(lineOf({ ...row, status: 'inconclusive' })).toBe('WCI-LST-001 (inconclusive)');
  expect(lineOf()).toBe('WCI-LST-001 (no request showed it: no check names it, an oracle alone does)');
});

test('another row that warns is one beyond', () => {
  const rows = [
    { id: 'WCI-LST-001', level: 'must', status: 'fail' },
    { id: 'WCI-LST-002', level: 'must', status: 'warn' },
  ] as const;
  expect(statusOf(...rows)).toMatchObject([{ missed: [], beyond: ['WCI-LST-002'] }]);
});

test('a defect whose rows no check verifies proves nothing alone, and is named', () => {
  const matrix = matrixOf([], []);
  expect(isProved(matrix)).toBe(false);
  expect(renderProofConsole(matrix)).toContain(
    'unchecked some-defect: Something is wrong. no check that ran verifies WCI-LST-001',
  );
  const [killed] = matrixOf([{ id: 'WCI-LST-001', level: 'must', status: 'fail' }]).defects;
  expect(isProved({ ...matrix, defects: [...matrix.defects, ...(killed ? [killed] : [])] })).toBe(true);
});

test('what the oracles saw without the checks is counted', () => {
  const seen = matrixOf([{ id: 'WCI-LST-001', level: 'must', status: 'fail' }]);
  expect(renderProofConsole(seen)).toContain('seen by the oracles alone: 1 of 1');
});
