import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { CatalogueRow } from '../../catalogue/row.ts';
import { passed, type Verdict, type VerdictStatus } from '../../judge/kernel/verdict.ts';
import { Dialect } from '../observe/dialect.ts';
import { outcomeOf } from './outcome.ts';
import { checkOf } from '../../../test/support/engine.ts';
import { judgeRows } from './verdicts.ts';

const catalogue = loadCatalogue();
const rule = catalogue.requirements.find((row) => row.level === 'must' && row.excused === null);
const excused = catalogue.requirements.find((row) => row.excused !== null);
const advice = catalogue.requirements.find((row) => row.level === 'should');
const point = catalogue.openPoints[0];
if (!rule || !advice || !excused || !point) throw new Error('the catalogue holds all three kinds');

function verdict(status: VerdictStatus): Verdict {
  return status === 'pass' ? passed(1) : { status, samples: 1, reason: `why ${status}` };
}

/** The verdict on a row if checks say this about it, one after another. */
function judge(
  judged: CatalogueRow,
  statuses: readonly VerdictStatus[],
  given: { seen?: readonly string[]; pin?: string; verified?: boolean } = {},
): Verdict | undefined {
  const dialect = new Dialect();
  for (const variant of given.seen ?? []) dialect.observe(judged.id, variant);
  const check = checkOf(() => Promise.resolve(), { verifies: given.verified === false ? [] : [judged.id] });
  const outcomes = statuses.map((status) => outcomeOf(check, () => verdict(status)));
  const pins = given.pin === undefined ? {} : { [judged.id]: given.pin };
  return judgeRows([judged], { checks: [check], outcomes, dialect, pins }).get(judged);
}

test.each<[said: VerdictStatus[], status: VerdictStatus]>([
  [['pass'], 'pass'],
  [['pass', 'pass'], 'pass'],
  [['pass', 'fail'], 'fail'],
  [['warn', 'fail', 'inconclusive'], 'fail'],
  [['pass', 'warn'], 'warn'],
  [['warn', 'inconclusive'], 'inconclusive'],
  [['pass', 'inconclusive'], 'inconclusive'],
  [['observed', 'inconclusive'], 'inconclusive'],
  [['pass', 'observed'], 'observed'],
  [['pass', 'skipped'], 'pass'],
  [['skipped', 'inconclusive'], 'inconclusive'],
  [['skipped'], 'skipped'],
])('of %j a rule is %s', (said, status) => {
  expect(judge(rule, said)).toMatchObject({ status, reason: status === 'pass' ? null : `why ${status}` });
});

test.each<[others: VerdictStatus[], status: VerdictStatus]>([
  [['pass', 'pass'], 'pass'],
  [['pass', 'inconclusive'], 'inconclusive'],
  [['fail'], 'fail'],
  [['not-applicable'], 'inconclusive'],
  [[], 'inconclusive'],
])('if one check came to no case of a rule, and others say %j, it is %s', (others, status) => {
  const check = checkOf(() => Promise.resolve(), { verifies: [rule.id] });
  const none: Verdict = { status: 'inconclusive', samples: 0, reason: 'busy', isUnexercised: true };
  const outcomes = [none, ...others.map(verdict)].map((one) => outcomeOf(check, () => one));
  const sources = { checks: [check], outcomes, dialect: new Dialect(), pins: {} };
  expect(judgeRows([rule], sources).get(rule)?.status).toBe(status);
});

test('a should that is broken is broken, whatever else is undecided', () => {
  expect(judge(advice, ['inconclusive', 'warn'])?.status).toBe('warn');
});

test('samples of all checks are added up', () => {
  expect(judge(rule, ['pass', 'pass', 'warn'])?.samples).toBe(3);
});

test.each([
  ['one that is excused tells why', excused, true, excused.excused],
  ['one without a check says so', rule, false, 'no check verifies it yet'],
  [
    'a permission is none',
    { ...rule, level: 'may' as const },
    false,
    'it is a permission, which cannot be broken',
  ],
  ['one whose checks did not run says so', rule, true, 'its checks were not part of this run'],
])('a rule that nobody judged is skipped: %s', (_what, judged, verified, reason) => {
  expect(judge(judged, [], { verified })).toMatchObject({ status: 'skipped', reason, samples: 0 });
});

describe('an open point', () => {
  test.each<
    [
      seen: string[],
      said: VerdictStatus[],
      pin: string | undefined,
      status: VerdictStatus,
      reason: string | null,
    ]
  >([
    [['a'], ['observed'], undefined, 'observed', 'a'],
    [['a', 'b'], ['observed'], undefined, 'observed', 'a, b'],
    [['a'], ['fail'], undefined, 'observed', 'a'],
    [[], ['skipped'], undefined, 'skipped', 'why skipped'],
    [['a'], ['observed'], 'a', 'pass', null],
    [['a'], ['observed'], 'b', 'fail', 'pinned to b, and the deployment shows a'],
    [['b', 'a'], ['observed'], 'b', 'fail', 'pinned to b, and the deployment shows a'],
    [[], ['skipped'], 'b', 'inconclusive', 'why skipped'],
  ])('seen as %j by checks that say %j, and pinned to %s, is %s', (seen, said, pin, status, reason) => {
    const given = pin === undefined ? { seen } : { seen, pin };
    expect(judge(point, said, given)).toMatchObject({ status, reason });
  });
});

test('of checks that could not tell, one that ran says why, not one that was left out of the plan', () => {
  const check = checkOf(() => Promise.resolve(), { verifies: [rule.id] });
  const said = (reason: string, requests: number) =>
    outcomeOf(check, () => ({ status: 'skipped', samples: 0, reason }), { requests });
  const outcomes = [said('needs real time', 0), said('no delivery was repeated', 9), said('later', 3)];
  const sources = { checks: [check], outcomes, dialect: new Dialect(), pins: {} };
  expect(judgeRows([rule], sources).get(rule)?.reason).toBe('no delivery was repeated');
});
