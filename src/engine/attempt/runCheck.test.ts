import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { Redactor } from '../../core/redact.ts';
import { holds, notApplicable, unclear, differs } from '../../judge/kernel/judgement.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { CheckContext } from './context.ts';
import { Dialect } from '../observe/dialect.ts';
import { FindingMaker } from '../findings/findings.ts';
import type { CheckOutcome } from '../findings/outcome.ts';
import { runCheck } from './runCheck.ts';
import type { EngineCheck } from '../suite.ts';
import {
  anyRequest,
  attemptOptions,
  checkOf,
  done,
  wantsOk,
  type AttemptSketch,
  type Said,
} from '../../../test/support/engine.ts';

const broken = differs('code', 'member', 'this', 'that');
const catalogue = loadCatalogue();
const maker = new FindingMaker({ catalogue, redactor: new Redactor(), seed: 1, heldKeys: null });

/** Runs a check to its outcome; also returns how often it ran out of budget. */
async function run(check: EngineCheck, sketch: AttemptSketch = {}) {
  let [outOfBudget, recovered] = [0, 0];
  const options = attemptOptions(check, sketch);
  const outcome = await runCheck({
    ...options,
    sources: { maker, dialect: options.base.dialect, catalogue },
    onBudget: () => (outOfBudget += 1),
    onNoRoom: () => undefined,
    isCutOff: () => false,
    explains: () => false,
    onCutOff: () => Promise.resolve(false),
    recover: () => Promise.resolve(void (recovered += 1)),
  });
  return { outcome, outOfBudget, recovered };
}

function statusOf(outcome: CheckOutcome, requirement = 'WCI-LST-001'): string | undefined {
  return outcome.verdicts.get(requirement)?.status;
}

test.each<[answers: Said[], recovered: number]>([
  [[503, 200], 1],
  [['lost', 200], 1],
  [[200], 0],
  [[400, 400], 0],
])('after answers %j what disturbed the check is waited for %i times', async (answers, recovered) => {
  expect(await run(wantsOk, { answers })).toMatchObject({ recovered });
});

test.each<[answers: Said[], status: string, confirmed: string | null, requests: number]>([
  [[200], 'pass', null, 1],
  [[400], 'fail', '2 of 2', 2],
  [[400, 200, 400], 'fail', '2 of 3', 3],
  [[400, 200, 200], 'warn', '1 of 3', 3],
  [[400, 'lost', 400], 'fail', '2 of 2', 3],
  [[400, 'lost', 200], 'warn', '1 of 2', 3],
  [[400, 'lost', 'lost'], 'inconclusive', '1 of 1', 3],
  [['lost', 200], 'pass', null, 2],
  [['lost', 'lost'], 'inconclusive', null, 2],
  [['lost', 400, 400], 'fail', '2 of 2', 3],
  [[503, 200], 'pass', null, 2],
  [[429, 429], 'inconclusive', null, 2],
])(
  'answers %j to one request: %s, confirmed %s, after %i requests',
  async (answers, status, confirmed, requests) => {
    const { outcome } = await run(wantsOk, { answers });
    expect(outcome).toMatchObject({ verdict: { status }, requests });
    expect(outcome.findings.map((finding) => finding.confirmed)).toEqual(
      confirmed === null ? [] : [confirmed],
    );
  },
);

test('of two rules that one case broke, each is confirmed by itself', async () => {
  let tries = 0;
  const { outcome } = await run(
    checkOf((t) => {
      tries += 1;
      t.judge([], { 'WCI-LST-001': broken, 'WCI-LST-002': tries === 1 ? broken : holds });
      return Promise.resolve();
    }),
  );
  const said = Object.fromEntries(
    outcome.findings.map(({ requirement, confirmed }) => [requirement, confirmed]),
  );
  expect(said).toEqual({ 'WCI-LST-001': '3 of 3', 'WCI-LST-002': '1 of 3' });
  expect([statusOf(outcome), statusOf(outcome, 'WCI-LST-002')]).toEqual(['fail', 'warn']);
});

test('a rule that both repetitions find broken fails, though the case ended before it at first', async () => {
  let tries = 0;
  const { outcome } = await run(
    checkOf((t) => done(() => t.judge([], { [tries++ === 0 ? 'WCI-LST-001' : 'WCI-LST-002']: broken }))),
  );
  expect(outcome.findings.map(({ requirement, confirmed }) => [requirement, confirmed])).toEqual([
    ['WCI-LST-001', '1 of 3'],
    ['WCI-LST-002', '2 of 3'],
  ]);
  expect([statusOf(outcome), statusOf(outcome, 'WCI-LST-002')]).toEqual(['warn', 'fail']);
});

test('where the rules of a check are signs of one thing, any of them confirms another', async () => {
  let tries = 0;
  const { outcome } = await run(
    checkOf((t) => done(() => t.judge([], { [tries++ === 0 ? 'WCI-LST-001' : 'WCI-LST-002']: broken })), {
      isOneThing: true,
    }),
  );
  expect(outcome.findings.map(({ requirement, confirmed }) => [requirement, confirmed])).toEqual([
    ['WCI-LST-001', '2 of 2'],
  ]);
  expect(statusOf(outcome)).toBe('fail');
});

test('a failure that the budget does not let try again is undecided, with what was seen and what kept it', async () => {
  const { outcome, outOfBudget } = await run(wantsOk, { answers: [400], budget: 1 });
  expect(outcome.findings.map(({ confirmed, severity }) => [confirmed, severity])).toEqual([
    ['1 of 1', 'inconclusive'],
  ]);
  expect(outcome.verdict.status).toBe('inconclusive');
  expect(outcome.verdict.reason).toMatch(
    /^it could not be tried again \(the budget of 1 requests is used up .*\): .*HTTP 400/,
  );
  expect(outOfBudget).toBeGreaterThan(0);
});

test('a failure that shows again before the budget ends has failed', async () => {
  const { outcome } = await run(wantsOk, { answers: [400], budget: 2 });
  expect([outcome.verdict.status, outcome.findings[0]?.confirmed]).toEqual(['fail', '2 of 2']);
});

describe('a check that a budget or an interrupt cut short', () => {
  const twice = checkOf(async (t) => {
    t.judge(await t.send(anyRequest), { 'WCI-LST-001': holds });
    t.judge(await t.send(anyRequest), { 'WCI-LST-001': holds });
  });

  test('is left out from there on, where units without proof used the budget up', async () => {
    const { outcome, outOfBudget } = await run(
      checkOf((t) => {
        t.judge([], { 'WCI-LST-001': holds });
        return Promise.reject(new BudgetExhausted('quota units', 8, 2));
      }),
    );
    expect([statusOf(outcome), outOfBudget]).toEqual(['skipped', 0]);
    expect(outcome.verdicts.get('WCI-LST-001')?.reason).toMatch(/8 quota units is used up, 2 of them/);
  });

  test('passes nothing, for what was left out might have failed', async () => {
    const { outcome, outOfBudget } = await run(twice, { budget: 1 });
    expect([statusOf(outcome), outOfBudget]).toEqual(['inconclusive', 1]);
    expect(outcome.verdicts.get('WCI-LST-001')?.reason).toBe(
      'the budget of 1 requests is used up (--max-requests grants more)',
    );
  });

  test('keeps its failures', async () => {
    const controller = new AbortController();
    const { outcome } = await run(
      checkOf(async (t) => {
        await t.each(['row'], async () => t.judge(await t.send(anyRequest), { 'WCI-LST-001': broken }));
        controller.abort(new Error('the run was interrupted'));
        await t.send(anyRequest);
      }),
      { signal: controller.signal },
    );
    expect(outcome.findings.map(({ requirement, confirmed }) => [requirement, confirmed])).toEqual([
      ['WCI-LST-001', '1 of 1'],
    ]);
    expect(statusOf(outcome)).toBe('inconclusive');
    expect(statusOf(outcome, 'WCI-LST-002')).toBe('inconclusive');
  });
});

test('a check that exercised nothing has not passed', async () => {
  const { outcome } = await run(checkOf(() => Promise.resolve()));
  expect([statusOf(outcome), statusOf(outcome, 'WCI-LST-002')]).toEqual(['inconclusive', 'inconclusive']);
  expect(outcome.verdict.status).toBe('inconclusive');
});

test('a check that ends itself passes what it came to, and tells why of all else', async () => {
  const { outcome } = await run(
    checkOf((t) => {
      t.judge([], { 'WCI-LST-001': holds });
      return t.skip('no second leg');
    }),
  );
  expect([statusOf(outcome), statusOf(outcome, 'WCI-LST-002')]).toEqual(['pass', 'skipped']);
  expect(outcome.verdicts.get('WCI-LST-002')?.reason).toBe('no second leg');
  expect(outcome.verdict.status).toBe('pass');
});

describe('a requirement whose condition is the choice of the deployment', () => {
  const conditional = (run: (t: CheckContext) => void) =>
    checkOf((t) => done(() => run(t)), { verifies: ['WCI-SUB-018', 'WCI-LST-001'] });
  const verdictOf = async (run_: (t: CheckContext) => void) =>
    (await run(conditional(run_))).outcome.verdicts.get('WCI-SUB-018');

  test('does not apply where there was an occasion and it did not come about, and ends no case', async () => {
    const { outcome } = await run(
      conditional((t) => {
        t.judge([], { 'WCI-SUB-018': notApplicable });
        t.judge([], { 'WCI-LST-001': holds });
      }),
    );
    expect(outcome.verdicts.get('WCI-SUB-018')).toEqual({
      status: 'not-applicable',
      samples: 0,
      reason: 'applies only if a subscribe with other passenger data is one of the same booking',
    });
    expect(statusOf(outcome)).toBe('pass');
  });

  test('is judged where it came about once', async () => {
    const verdict = await verdictOf((t) => {
      t.judge([], { 'WCI-SUB-018': notApplicable });
      t.judge([], { 'WCI-SUB-018': holds });
    });
    expect(verdict?.status).toBe('pass');
  });

  test('is undecided where a case of the check could not be told', async () => {
    const verdict = await verdictOf((t) => {
      t.judge([], { 'WCI-SUB-018': notApplicable });
      t.assume(false, 'lost');
    });
    expect(verdict).toMatchObject({ status: 'inconclusive', reason: 'lost' });
  });

  test('is a fault of ours where the catalogue names no condition', async () => {
    const { outcome } = await run(conditional((t) => t.judge([], { 'WCI-LST-001': notApplicable })));
    expect(outcome.verdicts.get('WCI-LST-001')).toMatchObject({
      status: 'inconclusive',
      reason: 'a fault of Gatecheck: WCI-LST-001 names no condition',
    });
  });
});

test('a rule that its check did not come to names the one that was broken before it', async () => {
  const { outcome } = await run(wantsOk, { answers: [400] });
  expect(outcome.verdicts.get('WCI-LST-001')?.status).toBe('fail');
  const both = { ...wantsOk, verifies: ['WCI-LST-001', 'WCI-LST-002'] };
  const { outcome: ended } = await run(both, { answers: [400] });
  expect(ended.verdicts.get('WCI-LST-002')).toEqual({
    status: 'inconclusive',
    samples: 0,
    isUnexercised: true,
    reason: 'its check ended earlier, when it found WCI-LST-001 broken',
  });
});

describe('a property', () => {
  const cases = (judge: (t: CheckContext, index: number) => void, minCases: number) => {
    let index = 0;
    return checkOf((t) => t.forAll('p', fc.nat(), () => done(() => judge(t, index++))), {
      kind: 'property',
      cases: { minCases, maxCases: 100 },
    });
  };
  const oneUnclear = (t: CheckContext, index: number) =>
    t.judge([], { 'WCI-LST-001': index === 3 ? unclear('lost') : holds });

  test('passes with a case that is unclear where the others are enough', async () => {
    expect(statusOf((await run(cases(oneUnclear, 5))).outcome)).toBe('pass');
  });

  test('is inconclusive where they are not', async () => {
    expect(statusOf((await run(cases(oneUnclear, 10))).outcome)).toBe('inconclusive');
  });

  test('leaves rules that no case came to as skipped', async () => {
    const { outcome } = await run(cases((t) => t.judge([], { 'WCI-LST-001': holds }), 1));
    expect(statusOf(outcome, 'WCI-LST-002')).toBe('skipped');
  });
});

describe('an open point', () => {
  test('is observed where any variant was seen, by whomever', async () => {
    const dialect = new Dialect();
    dialect.observe('WCI-OPN-001', 'two-letters');
    const sketch = { base: { dialect, fixtures: {} } } as unknown as AttemptSketch;
    const { outcome } = await run(
      checkOf(() => Promise.resolve()),
      sketch,
    );
    expect(outcome.verdicts.get('WCI-OPN-001')).toMatchObject({ status: 'observed', reason: 'two-letters' });
  });

  test('is skipped where none was', async () => {
    expect(statusOf((await run(checkOf(() => Promise.resolve()))).outcome, 'WCI-OPN-001')).toBe('skipped');
  });
});
