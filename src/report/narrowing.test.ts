import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { finding, groups } from '../../test/support/causeGroups.ts';
import { sampleRequirement } from '../../test/support/sampleResult.ts';

const wide = 'SHR-ERR-017';
const narrow = 'SHR-LIM-002';
const rows = [
  sampleRequirement({ id: wide, verdict: 'fail', reason: 'broken' }),
  sampleRequirement({ id: narrow, verdict: 'fail', reason: 'broken', narrows: [wide] }),
];
const status = (confirmed: string) =>
  finding(wide, { check: 'shared.passive.status-set', confirmed, case: { whole: true } });
const limit = finding(narrow, { check: 'shared.limits.minute', exchanges: ['x1', 'x2', 'x3', 'x4'] });

describe('one mistake that breaks two sentences is one cause', () => {
  test.each([
    ['WCI-LST-013', 'WCI-LST-021', 'a wrong total, by which a list seems to lack a record'],
    ['FLA-GET-015', 'FLA-GET-014', 'zeros that are counted, alone and beside other cleaning'],
  ])('%s explains %s: %s', (telling, other) => {
    const narrows = loadCatalogue().requirements.flatMap(({ id, narrows: wider }) =>
      id === telling || id === other ? [sampleRequirement({ id, verdict: 'fail', narrows: [...wider] })] : [],
    );
    expect(groups([finding(other), finding(telling, { exchanges: ['x1', 'x2'] })], narrows)).toEqual([
      [telling, other],
    ]);
  });

  test('which starts with the sentence that tells more, however many steps it takes to see', () => {
    expect(groups([status('402 of 841'), limit], rows)).toEqual([[narrow, wide]]);
  });

  test('which starts with the wider sentence where nearly all that it speaks of breaks it, unless something narrower is broken', () => {
    const other = sampleRequirement({ id: 'SHR-ERR-007' });
    const code = finding('SHR-ERR-007', {
      ...{ check: 'shared.passive.error-codes', confirmed: '58 of 60', case: { whole: true } },
      exchanges: ['x1', 'x2', 'x3', 'x4'],
    });
    const named = finding('WCI-STS-003', { check: 'shared.passive.error-codes', exchanges: ['x1'] });
    const together = [code, { ...named, code: code.code, expected: code.expected }];
    expect(groups(together, [...rows, other]).flat()[0]).toBe('SHR-ERR-007');
    expect(groups([status('60 of 60'), limit], rows)).toEqual([[narrow, wide]]);
  });

  test('and two where the catalogue does not say that one narrows the other', () => {
    const apart = rows.map((row) => ({ ...row, narrows: [] }));
    expect(groups([status('402 of 841'), limit], apart)).toHaveLength(2);
  });

  test('also where a result of another origin has a circle', () => {
    const [first, second] = rows as [(typeof rows)[number], (typeof rows)[number]];
    expect(groups([status('402 of 841'), limit], [{ ...first, narrows: [narrow] }, second])).toHaveLength(1);
  });
});
