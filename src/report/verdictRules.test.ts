import { describe, expect, it, test } from 'vitest';
import { coverage, ruledSummary, type VerdictInput, type VerdictRow } from './verdictRules.ts';
import { gateText } from './gate.ts';

const row = (overrides: Partial<VerdictRow> = {}): VerdictRow => ({
  level: 'must',
  verdict: 'pass',
  baselined: false,
  ...overrides,
});
const passed = row();
const failed = row({ verdict: 'fail' });
const known = row({ verdict: 'fail', baselined: true });
const skipped = row({ verdict: 'skipped' });
const unclear = row({ verdict: 'inconclusive' });
const warned = row({ level: 'should', verdict: 'warn' });
const notApplicable = row({ verdict: 'not-applicable' });
const excused = row({ verdict: 'skipped', excused: 'cannot be observed' });

const input = (overrides: Partial<VerdictInput> = {}): VerdictInput => ({
  rows: [passed],
  leftPlan: null,
  targetLost: false,
  keyRefused: false,
  interrupted: false,
  cutShort: false,
  requiredMissing: [],
  staleBaseline: [],
  unseenBaseline: [],
  loadsNotMet: [],
  loadsUnclear: [],
  isOfLoads: false,
  minMust: null,
  strict: false,
  outside: null,
  ...overrides,
});

const reasonsOf = (told: VerdictInput) => ruledSummary(told).reasons;

test.for<[string, Partial<VerdictInput>, string, number]>([
  ['all musts passed', {}, 'conformant', 0],
  ['a must failed', { rows: [passed, failed] }, 'nonconformant', 1],
  [
    'a pinned open point failed',
    { rows: [passed, row({ level: 'open', verdict: 'fail' })] },
    'nonconformant',
    1,
  ],
  ['a must failed that the baseline knows', { rows: [passed, known] }, 'nonconformant', 0],
  ['one failure is known and another is not', { rows: [known, failed] }, 'nonconformant', 1],
  ['a must was skipped', { rows: [passed, skipped] }, 'partial', 0],
  ['a must that cannot be observed was skipped', { rows: [passed, excused] }, 'conformant', 0],
  ['a must did not apply', { rows: [passed, notApplicable] }, 'conformant', 0],
  ['a must did not apply and another was skipped', { rows: [passed, notApplicable, skipped] }, 'partial', 0],
  ['no must was judged, and one did not apply', { rows: [notApplicable] }, 'inconclusive', 3],
  ['a should was skipped', { rows: [passed, row({ level: 'should', verdict: 'skipped' })] }, 'conformant', 0],
  ['a must was observed only', { rows: [passed, row({ verdict: 'observed' })] }, 'partial', 0],
  ['a should warned', { rows: [passed, warned] }, 'conformant', 0],
  ['a must stayed inconclusive', { rows: [passed, unclear] }, 'inconclusive', 3],
  [
    'a should stayed inconclusive',
    { rows: [passed, row({ level: 'should', verdict: 'inconclusive' })] },
    'conformant',
    0,
  ],
  ['a must failed and another stayed inconclusive', { rows: [failed, unclear] }, 'nonconformant', 1],
  [
    'the only failure is known and another must stayed inconclusive',
    { rows: [known, unclear] },
    'nonconformant',
    3,
  ],
  [
    'the only failure is known, and another must was left undecided by it',
    { rows: [known, row({ verdict: 'inconclusive', baselined: true })] },
    'nonconformant',
    0,
  ],
  [
    '--strict meets a must that was left undecided by a known failure',
    { rows: [known, row({ verdict: 'inconclusive', baselined: true })], strict: true },
    'nonconformant',
    1,
  ],
  ['no must was judged', { rows: [skipped, warned] }, 'inconclusive', 3],
  ['there is no requirement at all', { rows: [] }, 'inconclusive', 3],
  ['the target was lost', { targetLost: true, leftPlan: 'the budget is used up' }, 'inconclusive', 3],
  ['a key was refused', { keyRefused: true }, 'inconclusive', 3],
  ['a budget ended the run before its plan', { leftPlan: 'the budget is used up' }, 'inconclusive', 3],
  [
    'a budget ended the run after a failure',
    { leftPlan: 'the budget is used up', rows: [failed] },
    'nonconformant',
    1,
  ],
  ['the run was killed', { cutShort: true, leftPlan: 'it was killed' }, 'inconclusive', 70],
  ['the run was interrupted', { interrupted: true, leftPlan: 'the budget is used up' }, 'inconclusive', 130],
  [
    'the run was interrupted after a failure',
    { interrupted: true, leftPlan: 'the budget is used up', rows: [failed] },
    'nonconformant',
    130,
  ],
  ['a baseline entry is stale', { staleBaseline: ['WCI-STS-001.00000000'] }, 'conformant', 1],
  ['a stale entry meets an inconclusive run', { staleBaseline: ['x'], targetLost: true }, 'inconclusive', 1],
  ['a required capability is missing', { requiredMissing: ['sink'] }, 'conformant', 1],
  ['a load among the parts missed a threshold', { loadsNotMet: ['1 threshold not met'] }, 'conformant', 1],
  ['a load among the parts is undecided', { loadsUnclear: ['a key was refused'] }, 'inconclusive', 3],
  ['all parts are loads', { isOfLoads: true }, 'partial', 0],
  [
    'fewer musts were judged than --min-must',
    { rows: [passed, skipped, skipped], minMust: 0.34 },
    'partial',
    1,
  ],
  ['exactly --min-must were judged', { rows: [passed, skipped], minMust: 0.5 }, 'partial', 0],
  ['--strict meets a partial verdict', { rows: [passed, skipped], strict: true }, 'partial', 1],
  ['--strict meets a warning', { rows: [passed, warned], strict: true }, 'conformant', 1],
  [
    '--strict meets a warning that the baseline knows',
    { rows: [passed, { ...warned, baselined: true }], strict: true },
    'conformant',
    0,
  ],
  [
    '--strict meets a known failure that hides a partial verdict',
    { rows: [known, skipped], strict: true },
    'nonconformant',
    1,
  ],
  ['--strict meets what cannot be observed', { rows: [passed, excused], strict: true }, 'conformant', 0],
  ['--strict meets what did not apply', { rows: [passed, notApplicable], strict: true }, 'conformant', 0],
  [
    'all musts that apply were judged, and --min-must asks for all',
    { rows: [passed, notApplicable], minMust: 1 },
    'conformant',
    0,
  ],
  ['--strict meets an inconclusive must', { rows: [passed, unclear], strict: true }, 'inconclusive', 3],
])('when %s', ([, overrides, verdict, code]) => {
  const ruled = ruledSummary(input(overrides));
  expect(ruled).toMatchObject({ verdict, exitCode: code });
  expect(ruled.gate.state).toBe(({ 0: 'met', 1: 'not-met' } as const)[code] ?? 'undecided');
  expect(ruled.gate.because.length > 0 || code === 0).toBe(true);
});

test.for<[string, Partial<VerdictInput>, string]>([
  ['nothing failed', {}, 'gate met'],
  ['all that failed is known', { rows: [passed, known, known, known] }, 'gate met: 3 known failures'],
  ['an entry is stale', { staleBaseline: ['x'] }, 'gate not met: a baseline entry is stale'],
  ['two entries are stale', { staleBaseline: ['x', 'y'] }, 'gate not met: 2 baseline entries are stale'],
  [
    'several gates are not met',
    { rows: [failed, skipped, warned], requiredMissing: ['sink'], minMust: 0.9, strict: true },
    'gate not met: 1 requirement failed, sink missing, fewer musts judged than --min-must, 1 requirement warned (--strict), 1 must was not judged (--strict)',
  ],
  ['a must is undecided', { rows: [passed, unclear] }, 'gate undecided: 1 must inconclusive'],
  ['somebody ended it', { interrupted: true, rows: [failed] }, 'gate undecided: interrupted'],
])('the gate says why, when %s', ([, overrides, text]) => {
  expect(gateText(ruledSummary(input(overrides)).gate)).toBe(text);
});

describe('coverage', () => {
  it('counts pass, fail and warn as judged, of all that apply', () => {
    const rows = [
      passed,
      failed,
      known,
      skipped,
      unclear,
      excused,
      notApplicable,
      warned,
      row({ level: 'may', verdict: 'observed' }),
    ];
    expect(coverage(rows)).toEqual({
      must: { judged: 3, total: 7, excused: 1, notApplicable: 1 },
      should: { judged: 1, total: 1, excused: 0, notApplicable: 0 },
    });
  });

  it('meets a share that floating point cannot hold exactly', () => {
    const rows = [...Array<VerdictRow>(29).fill(passed), ...Array<VerdictRow>(71).fill(skipped)];
    expect(ruledSummary(input({ rows, minMust: 0.29 })).exitCode).toBe(0);
  });
});

describe('a selection', () => {
  it('names what was seen broken beside it, which does not count', () => {
    const told = input({ outside: { total: 3, broken: ['WCI-STS-004', 'WCI-LST-002'] } });
    expect(ruledSummary(told)).toMatchObject({ verdict: 'conformant', exitCode: 0 });
    expect(ruledSummary(told).reasons).toContain(
      'Seen broken outside of the selection: WCI-STS-004, WCI-LST-002.',
    );
  });
});

it('tells every reason in a sentence, the weightiest first', () => {
  const { reasons } = ruledSummary(
    input({
      rows: [failed, unclear, skipped, warned],
      interrupted: true,
      leftPlan: 'the budget is used up',
      requiredMissing: ['sink'],
      minMust: 0.8,
      strict: true,
    }),
  );
  expect(reasons).toMatchInlineSnapshot(`
    [
      "The run was interrupted.",
      "1 requirement failed.",
      "Required but missing: sink.",
      "1 of 3 musts were judged, fewer than --min-must.",
      "1 requirement warned, which --strict refuses.",
      "The run ended before its plan was done: the budget is used up.",
      "1 must stayed inconclusive.",
    ]
  `);
});

it('explains a partial verdict, and a nonconformant one that the gate forgives', () => {
  expect(reasonsOf(input({ rows: [passed, skipped, excused] }))).toEqual(['1 must was not judged.']);
  expect(reasonsOf(input({ rows: [passed, known] }))).toEqual([
    '1 failed requirement listed in the baseline.',
  ]);
  expect(reasonsOf(input())).toEqual([]);
});
