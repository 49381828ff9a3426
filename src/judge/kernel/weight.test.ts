import { describe, expect, test } from 'vitest';
import type { Level } from '../../catalogue/row.ts';
import { all, heaviest, holds, notApplicable, unclear, differs } from './judgement.ts';
import { passed, addUp, type Verdict, type VerdictStatus } from './verdict.ts';
import { isBroken } from './weight.ts';

const broken = differs('code', 'member', 'this', 'that');
const lost = unclear('lost');

describe('of several judgements of one rule', () => {
  test('a violation outweighs what cannot be told, and that what holds', () => {
    expect(heaviest([holds, lost, broken])).toBe(broken);
    expect(heaviest([holds, lost])).toBe(lost);
    expect(heaviest([holds])).toBe(holds);
  });

  test('what did not apply once says less than what held once', () => {
    expect(heaviest([notApplicable, holds])).toBe(holds);
    expect(heaviest([notApplicable])).toBe(notApplicable);
  });

  test('nothing is broken where nothing was judged', () => {
    expect(heaviest([])).toBe(holds);
  });

  test('those that build on each other are told by the first that does not hold', () => {
    expect(all(holds, lost, broken)).toBe(lost);
  });
});

function verdict(status: VerdictStatus, reason = `why ${status}`): Verdict {
  return status === 'pass' ? passed(1) : { status, samples: 1, reason };
}

describe('of several verdicts', () => {
  test.each<[level: Level, said: VerdictStatus[], sum: VerdictStatus]>([
    ['must', ['pass', 'fail', 'inconclusive'], 'fail'],
    ['must', ['warn', 'inconclusive'], 'inconclusive'],
    ['must', ['pass', 'warn'], 'warn'],
    ['must', ['observed', 'inconclusive'], 'inconclusive'],
    ['must', ['skipped', 'pass'], 'pass'],
    ['must', ['not-applicable', 'pass'], 'pass'],
    ['must', ['skipped', 'not-applicable'], 'not-applicable'],
    ['must', ['not-applicable', 'inconclusive'], 'inconclusive'],
    ['should', ['inconclusive', 'warn', 'pass'], 'warn'],
    ['should', ['pass', 'inconclusive'], 'inconclusive'],
    ['may', ['inconclusive', 'observed'], 'observed'],
    ['open', ['observed', 'fail'], 'fail'],
    ['open', ['skipped', 'observed'], 'observed'],
  ])('of a %s, %j add up to %s', (level, said, sum) => {
    expect(
      addUp(
        said.map((status) => verdict(status)),
        level,
      )?.status,
    ).toBe(sum);
    expect(
      addUp(
        said.toReversed().map((status) => verdict(status)),
        level,
      )?.status,
    ).toBe(sum);
  });

  test('samples are counted together, and the first of equals gives the reason', () => {
    const sum = addUp([passed(3), verdict('fail', 'first'), verdict('fail', 'second')]);
    expect(sum).toEqual({ status: 'fail', samples: 5, reason: 'first' });
  });

  test('nothing adds up to nothing', () => {
    expect(addUp([])).toBeNull();
  });
});

test.each<[level: Level, status: VerdictStatus, broken: boolean]>([
  ['must', 'fail', true],
  ['must', 'warn', false],
  ['must', 'inconclusive', false],
  ['should', 'warn', true],
  ['should', 'pass', false],
  ['may', 'warn', false],
  ['open', 'observed', false],
  ['open', 'fail', true],
])('a %s that ends as %s is broken: %s', (level, status, broken) => {
  expect(isBroken({ level, status })).toBe(broken);
});
