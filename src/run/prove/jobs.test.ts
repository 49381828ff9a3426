import { expect, test } from 'vitest';
import { documentedJob, jobsOf } from './jobs.ts';
import { proofOf } from './proofSettings.ts';

const idsOf = (draw: number) => jobsOf(proofOf({ sample: 0.4, draw })).map(({ id }) => id);
const all = jobsOf(proofOf()).map(({ id }) => id);

test('a share of the dialects and defects is drawn by a number, beside the documented dialect', () => {
  expect(idsOf(1)).toEqual(idsOf(1));
  expect(idsOf(2)).not.toEqual(idsOf(1));
  expect(idsOf(1)[0]).toBe(documentedJob);
  expect(idsOf(1).length / all.length).toBeGreaterThan(0.3);
  expect(idsOf(1).length / all.length).toBeLessThan(0.5);
});

test('a few draws judge all of them', () => {
  const seen = new Set(Array.from({ length: 20 }, (_, draw) => idsOf(draw)).flat());
  expect(all.filter((id) => !seen.has(id))).toEqual([]);
});

test('the defects of a requirement are those that name it, whether found by it or not', () => {
  const defectsOf = (...row: string[]) => proofOf({ row }).defects.map(({ id }) => id);
  const { defects } = proofOf();
  const naming = defects.filter(({ kills, alsoFail }) => [...kills, ...alsoFail].includes('WCI-SUB-069'));
  expect(defectsOf('WCI-SUB-069')).toEqual(naming.map(({ id }) => id));
  expect(naming.filter(({ kills }) => !kills.includes('WCI-SUB-069'))).not.toEqual([]);
  expect(defectsOf('WCI-SUB-069', 'WCI-SUB-076').length).toBeGreaterThan(naming.length);
  expect(proofOf({ row: ['WCI-SUB-069'] })).toMatchObject({ dialects: 'documented', randomDialects: 0 });
  expect(() => proofOf({ row: ['WCI-SUB-69'] })).toThrow(
    "--row: no defect breaks a requirement like WCI-SUB-69 (did you mean 'WCI-SUB-069'?)",
  );
});
