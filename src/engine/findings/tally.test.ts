import * as is from '../../spec/kernel/value.ts';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { Redactor } from '../../core/redact.ts';
import { holds, notApplicable, unclear, differs, type Judgement } from '../../judge/kernel/judgement.ts';
import type { Oracle } from '../../judge/kernel/oracle.ts';
import { sampleOf, type Sample } from '../../judge/kernel/sample.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { FindingMaker } from './findings.ts';
import { passiveOutcome } from './outcome.ts';
import { noSampleOf } from './skipReasons.ts';
import { passive } from '../suite.ts';
import { PassiveTallies } from './tally.ts';

const rule = 'WCI-LST-001';
const one = exchange({ operation: 'wci.list', body: { success: true } });
const said = (judgement: Judgement) => sampleOf(rule, judgement);
const catalogue = loadCatalogue();
const maker = new FindingMaker({ catalogue, redactor: new Redactor(), seed: 1, heldKeys: null });

function oracleOf(judge: () => readonly Sample[]): Oracle {
  return {
    id: 'test',
    title: 'a title',
    verifies: [rule, 'WCI-LST-002'],
    createWatch: () => ({ exchange: judge }),
  };
}

function outcomeOf(tallies: PassiveTallies) {
  return passiveOutcome(
    passive(
      'wci',
      oracleOf(() => []),
    ),
    tallies,
    { maker, catalogue },
  );
}

function statusesOf(tallies: PassiveTallies): readonly string[] {
  return [...outcomeOf(tallies).verdicts.values()].map(({ status }) => status);
}

test('what was seen and could not be judged leaves a rule undecided, with the reason', () => {
  const tallies = new PassiveTallies();
  tallies.add(one, said(unclear('which clock is right is not known')));
  const undecided = { status: 'inconclusive', reason: 'which clock is right is not known' };
  expect(outcomeOf(tallies).verdict).toMatchObject(undecided);
  tallies.add(one, said(holds));
  expect(statusesOf(tallies)[0]).toBe('pass');
});

test('judgements are added up by rule, and violations by what was wrong', () => {
  const tallies = new PassiveTallies();
  expect(tallies.add(one, said(holds))).toBe(false);
  expect(tallies.add(one, said(unclear('?')))).toBe(false);
  expect(tallies.add(one, said(differs('a', 'member', 'x', 'y')))).toBe(true);
  const second = exchange({ operation: 'wci.list' });
  tallies.add(second, said(differs('a', 'member', 'x', 'z')));
  tallies.add(second, said(differs('b', 'member', 'x', 'y')));
  const { samples, violations } = tallies.of(rule);
  expect(samples).toBe(4);
  expect([...violations].map(([code, { count, evidence }]) => [code, count, evidence[0]?.id])).toEqual([
    ['a', 2, one.id],
    ['b', 1, second.id],
  ]);
});

describe('the outcome of a passive check', () => {
  test('fails with a finding for each kind of violation, which tells how often it showed', () => {
    const tallies = new PassiveTallies();
    tallies.add(one, said(differs('a', 'member', 'x', 'y')));
    tallies.add(one, said(holds));
    tallies.add(one, said(differs('b', 'member', 'x', 'y')));
    const { verdict, findings } = outcomeOf(tallies);
    expect([verdict.status, findings.map(({ code, confirmed }) => [code, confirmed])]).toEqual([
      'fail',
      [
        ['a', '1 of 3'],
        ['b', '1 of 3'],
      ],
    ]);
  });

  test('passes what was sampled, and skips what was not', () => {
    const tallies = new PassiveTallies();
    tallies.add(one, said(holds));
    expect(statusesOf(tallies)).toEqual(['pass', 'skipped']);
  });

  test('is not applicable where there were occasions and the condition never came about', () => {
    const conditional = { ...oracleOf(() => []), verifies: ['WCI-SUB-010'] };
    const tallies = new PassiveTallies();
    tallies.add(one, sampleOf('WCI-SUB-010', notApplicable));
    const judge = () => passiveOutcome(passive('wci', conditional), tallies, { maker, catalogue }).verdict;
    expect(judge()).toEqual({
      status: 'not-applicable',
      samples: 0,
      reason: 'applies only if a subscribe is answered 200 with message REJECTED',
    });
    tallies.add(one, sampleOf('WCI-SUB-010', holds));
    expect(judge()).toEqual({ status: 'pass', samples: 1, reason: null });
  });

  test('is inconclusive where the oracle broke, unless a violation was seen', () => {
    const tallies = new PassiveTallies();
    tallies.add(one, said(holds));
    tallies.addFault([rule, 'WCI-LST-002'], 'a fault of Gatecheck');
    expect(statusesOf(tallies)).toEqual(['inconclusive', 'inconclusive']);
    tallies.add(one, said(differs('a', 'member', 'x', 'y')));
    expect(statusesOf(tallies)).toEqual(['fail', 'inconclusive']);
  });
});

test('what only an outage broke is taken back, and undecided; what was broken before it stays', () => {
  const tallies = new PassiveTallies();
  const early = { ...one, id: 'x1' };
  tallies.add(early, said(differs('before', 'member', 'this', 'that')));
  tallies.add({ ...one, id: 'x9' }, said(differs('status', 'answer', is.answer(200), is.answer(503))));
  tallies.withdraw(new Set(['x9']), 'the target is not well');
  expect([...tallies.of(rule).violations.keys()]).toEqual(['before']);
  const other = new PassiveTallies();
  other.add({ ...one, id: 'x9' }, said(differs('status', 'answer', is.answer(200), is.answer(503))));
  other.withdraw(new Set(['x9']), 'the target is not well');
  expect(outcomeOf(other).findings).toEqual([]);
  expect(outcomeOf(other).verdicts.get(rule)).toEqual({
    ...{ status: 'inconclusive', samples: 1, reason: 'the target is not well; seen before: HTTP 503' },
  });
});

test('where nothing was seen, a selection says that checks outside of it may show it', () => {
  const check = passive(
    'wci',
    oracleOf(() => []),
  );
  const reasonOf = (isSelection: boolean) =>
    passiveOutcome(check, new PassiveTallies(), { maker, catalogue, isSelection }).verdict.reason;
  expect(reasonOf(false)).toBe('no answer of this run was a sample of it');
  expect(reasonOf(true)).toContain('run without --only');
});

test('what ordinary traffic shows nothing of names the need that the run lacks, and no need that is met', () => {
  const lacking = new Map([['public-sink', 'Give the sink a public address.']]);
  expect(noSampleOf('FLA-CB-002', lacking)).toBe(
    'no answer of this run was a sample of it, which needs public-sink. Give the sink a public address.',
  );
  for (const row of ['SHR-LIM-018', 'WCI-STS-001'])
    expect(noSampleOf(row, lacking)).toBe('no answer of this run was a sample of it');
});
