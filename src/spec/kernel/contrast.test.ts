import { expect, test } from 'vitest';
import { Contrast, type Trait } from './contrast.ts';

function told(kept: readonly (readonly Trait[])[], broken: readonly Trait[]): readonly string[] {
  const contrast = new Contrast();
  for (const traits of kept) contrast.keep(traits);
  contrast.accuse(broken, { rule: '', code: 'known:silent', at: '', want: '', got: '', because: [] });
  return contrast.end().map(({ rule }) => rule);
}

test.each([
  { what: 'the widest sentence where nothing keeps it', kept: [], broken: ['A', 'B late'], rules: ['A'] },
  {
    what: 'the only one that was never kept',
    kept: [['A', 'C']],
    broken: ['A', 'B late', 'C'],
    rules: ['B'],
  },
  { what: 'several cases of one sentence', kept: [['A']], broken: ['A', 'B late', 'B twice'], rules: ['B'] },
  { what: 'the widest where all were kept', kept: [['A', 'B late']], broken: ['A', 'B late'], rules: ['A'] },
  { what: 'none of two that were never kept', kept: [['A']], broken: ['A', 'B late', 'C'], rules: [] },
])('names $what', ({ kept, broken, rules }) => {
  expect(told(kept, broken)).toEqual(rules);
});
