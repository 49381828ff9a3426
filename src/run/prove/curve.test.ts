import { expect, test } from 'vitest';
import { defects } from '../../reference/defects.ts';
import { renderCurve, toCurve } from './informativeOrder.ts';
import type { ProofJob, JobResult } from './job.ts';

const some = defects.slice(0, 4);
const jobs = some.map(({ id }) => ({ id: `defect-${id}`, defect: id }) as ProofJob);
const results = [5, 60, 61, null].map(
  (at, index) =>
    ({
      job: jobs[index]?.id,
      requests: 90,
      requestsToFirstFinding: at,
      tellers: ['wci.status.own'],
    }) as unknown as JobResult,
);

test('a curve counts what is found within a number of requests, including the last one', () => {
  const { defects: all, found, requests, points } = toCurve(jobs, results, defects);
  expect([all, found, requests]).toEqual([4, 3, 90]);
  expect(points.map((point) => [point.requests, point.found])).toEqual([
    [10, 1],
    [20, 1],
    [30, 1],
    [45, 1],
    [60, 2],
  ]);
});

test('a curve says both shares, of what can be found so and of all', () => {
  expect(renderCurve(toCurve(jobs, results, defects))).toMatchInlineSnapshot(`
    "With one key and no state handler, 3 of 4 defects are found within 90 requests:

      requests  defects
            10        1    33 % of these    25 % of all
            20        1    33 % of these    25 % of all
            30        1    33 % of these    25 % of all
            45        1    33 % of these    25 % of all
            60        2    67 % of these    50 % of all
            90        3   100 % of these    75 % of all
    "
  `);
});

test('nothing found is 0 %', () => {
  expect(renderCurve(toCurve([], [], defects))).toContain('0 of 0 defects');
});
