import { expect, test } from 'vitest';
import { compare, point, resultOf, type Verdict } from '../../../test/support/comparedResults.ts';
import { sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import {
  earlierRecordUsed,
  keyOfEarlierRun,
  noCaseCame,
  noSample,
} from '../../engine/findings/skipReasons.ts';
import { budgetLackText } from '../../plan/budgetLack.ts';
import { diffResults, hasNoChange } from './diffResults.ts';
import { makeMatrix, variantsOf } from './matrix.ts';

test.each<[before: Verdict, after: Verdict, part: string | null]>([
  ['pass', 'fail', 'failing'],
  ['skipped', 'fail', 'failing'],
  ['inconclusive', 'fail', 'failing'],
  ['fail', 'fail', null],
  ['fail', 'pass', 'passing'],
  ['warn', 'pass', 'passing'],
  ['skipped', 'pass', null],
  ['not-applicable', 'pass', null],
  ['pass', 'warn', 'warned'],
  ['not-applicable', 'warn', 'warned'],
  ['inconclusive', 'warn', null],
  ['pass', 'skipped', 'lost'],
  ['fail', 'inconclusive', 'lost'],
  ['pass', 'not-applicable', null],
  ['pass', 'pass', null],
])('from %s to %s: %s', (before, after, part) => {
  const diff = compare(resultOf(before), resultOf(after));
  const parts = (['failing', 'passing', 'warned', 'lost'] as const).filter((name) => diff[name].length > 0);
  expect(parts).toEqual(part === null ? [] : [part]);
  expect(hasNoChange(diff)).toBe(part === null);
});

test('a warning is new if the run before had other means', () => {
  const before = resultOf('inconclusive');
  const after = resultOf('warn', { target: { ...before.target, capabilities: [] } });
  expect(compare(before, after).warned).toHaveLength(1);
});

test('a gate that is met in one of the two only is a difference', () => {
  const gated = (state: 'met' | 'not-met') => {
    const one = resultOf('pass');
    return { ...one, summary: { ...one.summary, gate: { state, because: ['1 threshold'] } } };
  };
  const diff = compare(gated('met'), gated('not-met'));
  expect(diff.gates).toEqual([
    { title: 'gate', before: 'gate met: 1 threshold', after: 'gate not met: 1 threshold' },
  ]);
  expect(hasNoChange(diff)).toBe(false);
});

test('a failure that the baseline knows is no new one', () => {
  expect(compare(resultOf('pass'), resultOf('fail', {}, { baselined: true })).failing).toEqual([]);
});

test.each([
  ['retries (after 1.0 s, 2.0 s)', ['retries']],
  ['retries (after 0.9 s (cut), 3 s), no-retry', ['no-retry', 'retries']],
  ['two-letters', ['two-letters']],
  ['b, a, b', ['a', 'b']],
  ['', []],
])('%j is of the classes %j', (observed, classes) => {
  expect(variantsOf(observed)).toEqual(classes);
});

test.each([
  ['retries (after 1 s)', 'retries (after 2 s)', 0],
  ['retries (after 1 s)', 'no-retry', 1],
  ['a, b', 'b, a', 0],
  [null, 'retries', 0],
  ['retries', null, 0],
])('an open point answered %j and then %j makes %i changes', (before, after, count) => {
  const diff = compare(resultOf('pass', point(before)), resultOf('pass', point(after)));
  expect(diff.points).toHaveLength(count);
});

test.each([
  ['WCI-OPN-060', 'stable', 'varies', 0],
  ['WCI-OPN-060', 'varies', 'stable', 0],
  ['WCI-OPN-046', 'any', 'any, restricted', 0],
  ['WCI-OPN-046', 'restricted', 'any, restricted', 0],
  ['WCI-OPN-010', 'departure-date', 'departure-datetime', 1],
  ['XYZ-OPN-001', 'stable', 'varies', 1],
])('%s answered %j and then %j makes %i changes, in diff and in matrix', (id, before, after, count) => {
  const results = [resultOf('pass', point(before, id)), resultOf('pass', point(after, id))] as const;
  expect(compare(...results).points).toHaveLength(count);
  expect(makeMatrix(results).points.filter(({ differs }) => differs)).toHaveLength(count);
});

test.each([
  ['a seed that left it out', { samples: 2 }, {}, 0],
  ['what is judged in each run', { samples: 3 }, {}, 1],
  ['a capability that is gone', { samples: 1 }, { capabilities: [] }, 1],
])('not judged any more: %s', (_, row, target, count) => {
  const before = resultOf('pass', {}, row);
  const after = resultOf('skipped', { target: { ...before.target, ...target } }, { samples: 0 });
  expect(compare(before, after).lost).toHaveLength(count);
});

test.each([
  ['no generated case came to it', noCaseCame, 0],
  ['a record of an earlier run was used', earlierRecordUsed, 0],
  ['an earlier run registered the callback', keyOfEarlierRun, 0],
  ['nothing showed it', noSample, 1],
])('not judged any more, of 13 samples before: %s', (_, reason, count) => {
  const before = resultOf('pass', {}, { samples: 13 });
  const after = resultOf('skipped', {}, { samples: 0, reason });
  expect(compare(before, after).lost).toHaveLength(count);
});

test('not judged any more: what only the making of new records shows, by a run that used earlier ones', () => {
  const before = resultOf('pass', {}, { samples: 13 });
  const after = resultOf('skipped', {}, { samples: 0, reason: noSample });
  const reused = sampleRequirement({ id: 'WCI-SUB-014', verdict: 'skipped', reason: earlierRecordUsed });
  expect(compare(before, { ...after, requirements: [...after.requirements, reused] }).lost).toEqual([]);
});

test.each([
  ['had to do with', 400, 0],
  ['had not', 800, 1],
])('not judged any more: for want of a budget that the run before %s', (_, budget, count) => {
  const lack = (of: number) => budgetLackText({ takes: 38, name: 'requests', budget: of, left: 0 });
  const other = sampleRequirement({ id: 'WCI-SUB-014', verdict: 'skipped', samples: 0, reason: lack(400) });
  const before = resultOf('pass', {}, { samples: 13 });
  const after = resultOf('skipped', {}, { samples: 0, reason: lack(budget) });
  expect(compare({ ...before, requirements: [...before.requirements, other] }, after).lost).toHaveLength(
    count,
  );
});

test.each([
  ['budget', 0],
  ['completed', 1],
] as const)('undecided where both runs ended by %s: %i lost', (end, count) => {
  const { run } = resultOf('pass');
  const [before, after] = [
    resultOf('pass', { run: { ...run, end } }),
    resultOf('inconclusive', { run: { ...run, end } }),
  ];
  expect(compare(before, after).lost).toHaveLength(count);
});

const timing = (p50Ms: number, p95Ms: number, count = 100) => ({
  timings: [{ operation: 'wci.list', count, p50Ms, p95Ms, p99Ms: p95Ms, maxMs: p95Ms }],
});

test.each([
  ['both percentiles longer', timing(20, 100), timing(40, 200), 'slower'],
  ['as a busy machine makes it', timing(5, 30), timing(10, 123), null],
  ['the tail alone', timing(20, 100), timing(20, 300), null],
  ['within the tolerance', timing(20, 100), timing(29, 149), null],
  ['too short to notice', timing(1, 2), timing(3, 6), null],
  ['too few answers', timing(20, 100, 5), timing(40, 200, 5), null],
  ['shorter', timing(40, 200), timing(20, 100), 'faster'],
] as const)('latency: %s', (_, before, after, part) => {
  const { slower, faster } = compare(resultOf('pass', before), resultOf('pass', after));
  expect([slower.length, faster.length]).toEqual([part === 'slower' ? 1 : 0, part === 'faster' ? 1 : 0]);
});

test('latency: that of the embedded reference is the load of the machine', () => {
  const embedded = { target: { ...sampleResult().target, kind: 'embedded' as const } };
  const before = resultOf('pass', { ...embedded, ...timing(3, 56) });
  const after = resultOf('pass', { ...embedded, ...timing(65, 3389) });
  expect(hasNoChange(compare(before, after))).toBe(true);
  expect(compare(resultOf('pass', timing(3, 56)), after).slower).toHaveLength(1);
});

test('latency: a cold server is slower by less than what is asked for', () => {
  const [cold, warm] = [resultOf('pass', timing(56, 281)), resultOf('pass', timing(15, 38))];
  const least = { p50Ms: 50, p95Ms: 100 };
  expect(diffResults(cold, warm, { tolerance: 1, least }).faster).toEqual([]);
  expect(diffResults(cold, warm, { tolerance: 1 }).faster).toHaveLength(1);
});

const limiter = (model: string, documented: boolean) => ({
  limits: {
    limiters: [
      {
        title: 'Minute limit',
        limit: 60,
        windowMs: 60_000,
        model,
        name: `${model} of 60`,
        documented,
        contradictions: [],
        notTried: [],
      },
    ],
  },
});

test('another limiter is told by its name', () => {
  const diff = compare(
    resultOf('pass', limiter('rolling-log', true)),
    resultOf('pass', limiter('fixed-window', false)),
  );
  expect(diff.limiters).toEqual([
    { title: 'Minute limit', before: 'rolling-log of 60', after: 'fixed-window of 60' },
  ]);
});

test('what keeps two results from being compared is said', () => {
  const { run } = sampleResult();
  const { notes } = compare(resultOf('pass'), resultOf('pass', { run: { ...run, profile: 'smoke' } }));
  expect(notes).toEqual(['The profile was standard and is smoke: not everything can be compared.']);
});

test('a recording, which judges little, is no measure of what is new', () => {
  const { run, summary } = sampleResult();
  const must = { ...summary.coverage.must, judged: 0 };
  const before = resultOf('skipped', {
    run: { ...run, command: 'gatecheck judge traffic.har' },
    summary: { ...summary, coverage: { ...summary.coverage, must } },
  });
  expect(compare(before, resultOf('pass')).notes).toEqual([
    "The traffic was recorded and is the run's own: not everything can be compared.",
    'Before, 0 musts were judged, now 2: of most it is not known how they were.',
  ]);
});
