import { expect, test } from 'vitest';
import type { RunResult } from '../../report/result.ts';
import { afterRoundOfTurn, coverageOf, firstTurn, renderTurn, turnForRound } from './turn.ts';

const resultOf = (musts: readonly string[], end = 'completed') =>
  ({
    run: { end },
    requirements: [
      ...musts.map((id) => ({ id, level: 'must', verdict: 'pass' })),
      { id: 'S', level: 'should', verdict: 'pass' },
      { id: 'U', level: 'must', verdict: 'skipped' },
    ],
  }) as unknown as RunResult;

const fitting = { free: ['a', 'b'], paid: ['p', 'q'] };
const round = (met: readonly string[], musts: readonly string[] = [], end?: string) => ({
  result: resultOf(musts, end),
  rotated: { met, fitting },
});

test('rounds add up', () => {
  const turn = afterRoundOfTurn(
    afterRoundOfTurn(firstTurn, round(['a', 'p'], ['M'])),
    round(['a'], ['M', 'N']),
  );
  expect(turn).toMatchObject({ met: ['p', 'a'], musts: ['M', 'N'], rounds: 2 });
  expect(coverageOf(turn)).toEqual({ free: { met: 1, all: 2 }, paid: { met: 1, all: 2 } });
  expect(renderTurn(turn, 5)).toBe(
    '2 rounds of this turn met 1 of 2 checks (50 %), and 1 of 2 that take quota units, 2 of 5 musts',
  );
});

test('a round that lost its target met nothing, one that used up its budget did', () => {
  expect(afterRoundOfTurn(firstTurn, round(['a'], [], 'target-lost'))).toBe(firstTurn);
  expect(afterRoundOfTurn(firstTurn, { result: resultOf([]) })).toBe(firstTurn);
  expect(afterRoundOfTurn(firstTurn, round(['a'], [], 'budget')).met).toEqual(['a']);
});

test('once all were met it begins anew, with those that take units when they were all met as well', () => {
  const some = afterRoundOfTurn(firstTurn, round(['a', 'p']));
  expect(turnForRound(some)).toBe(some);
  const free = turnForRound(afterRoundOfTurn(some, round(['b'])));
  expect(free).toMatchObject({ met: ['p'], musts: [], rounds: 0, free: ['a', 'b'] });
  const all = turnForRound(afterRoundOfTurn(free, round(['a', 'b', 'q'])));
  expect(all.met).toEqual([]);
});

test('a check that a record of an earlier round makes free counts once', () => {
  const turn = afterRoundOfTurn(afterRoundOfTurn(firstTurn, round([])), {
    result: resultOf([]),
    rotated: { met: [], fitting: { free: ['a', 'b', 'p'], paid: ['q'] } },
  });
  expect(coverageOf(turn)).toEqual({ free: { met: 0, all: 3 }, paid: { met: 0, all: 1 } });
});
