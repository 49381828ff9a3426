import { expect, test } from 'vitest';
import { Blame, only, owed, type Suspects } from './blame.ts';
import type { Violation } from './findings.ts';

const violation: Violation = {
  rule: '',
  code: 'known:status',
  at: 'status',
  want: '"A"',
  got: '"B"',
  because: [],
};
const by = (write: readonly string[], rules: readonly string[], isCertain = true): Suspects => ({
  ...{ write, rules, isCertain },
});
const told = (blame: Blame) => blame.end().map(({ rule }) => rule);

test('blames the only sentence that was never kept', () => {
  const blame = new Blame();
  blame.accuse(by(['update'], ['passport']), 'status', violation);
  blame.keep(only('passport'));
  expect(told(blame)).toEqual(['update']);
  expect(told(blame)).toEqual([]);
});

test('says nothing where several sentences may be broken, or all were kept elsewhere', () => {
  const blame = new Blame();
  blame.accuse(by(['update'], ['passport']), 'status', violation);
  expect(told(blame)).toEqual([]);
  blame.accuse(by(['update'], ['passport']), 'status', violation);
  blame.keep(by(['update'], ['passport']));
  expect(told(blame)).toEqual([]);
});

test('what shows in every answer hides nothing else, and is counted', () => {
  const blame = new Blame();
  for (let nth = 0; nth < 6_000; nth += 1)
    blame.accuse(only('list'), 'list', { ...violation, at: `data[${nth}].origin` });
  blame.accuse(only('update'), 'status', violation);
  const rules = told(blame);
  expect(rules.filter((rule) => rule === 'list')).toHaveLength(6_000);
  expect(rules).toContain('update');
});

test('blames no write for what only should be so', () => {
  const blame = new Blame();
  blame.keep(only('malformed date'));
  blame.accuse(by(['update'], ['malformed date'], false), 'status', violation);
  expect(told(blame)).toEqual([]);
});

test('blames the disagreement of two kinds of answers, once another kind shows what was expected', () => {
  const blame = new Blame();
  const accusation = blame.accuse(by(['update'], ['passport']), 'status', violation);
  blame.withdraw(accusation, 'status', 'agreement');
  blame.accuse(by(['update'], ['email']), 'status', violation);
  expect(told(blame)).toEqual(['agreement', 'agreement']);
});

test('a void accusation and several things that go wrong after one kind of write blame nothing', () => {
  const blame = new Blame();
  blame.accuse(only('status'), 'status', violation).isVoid = true;
  blame.keep(only('update'));
  for (const rule of ['number', 'expiry']) blame.accuse(by(['update'], [rule]), 'status', violation);
  expect(told(blame)).toEqual([]);
});

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
])('blames for what is owed $what', ({ kept, broken, rules }) => {
  const blame = new Blame();
  for (const traits of kept) blame.keep(only(...traits));
  blame.accuse(owed(...broken), 'callback', violation);
  expect(told(blame)).toEqual(rules);
});
