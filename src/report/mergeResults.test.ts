import { describe, expect, test } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';
import { mergeResults } from './mergeResults.ts';
import { resultSchema, type RequirementResult, type RunResult } from './result.ts';

/** A shard that judged one row. */
function shard(index: number, row: Partial<RequirementResult>, given: Partial<RunResult> = {}): RunResult {
  const sample = sampleResult({ findings: [], sideEffects: [], ...given });
  return {
    ...sample,
    run: { ...sample.run, id: `r${index}`, end: 'completed', ...given.run, shard: { index, total: 2 } },
    requirements: [sampleRequirement({ id: 'WCI-STS-001', level: 'must', reason: null, ...row })],
  };
}

const absent: Partial<RequirementResult> = {
  verdict: 'skipped',
  samples: 0,
  checks: ['b'],
  reason: 'its checks were not part of this run',
};

/** A part whose gate was not met for this reason. */
const gated = (part: RunResult, gate: NonNullable<RunResult['summary']['gate']>): RunResult => ({
  ...part,
  summary: { ...part.summary, gate },
});

describe('the gate of parts', () => {
  const because = ['a baseline entry is stale'];
  const stale = ['WCI-STS-001.00000000'];

  test('is not met where an entry is stale in one of them, unless it fails in another', () => {
    const one = gated(shard(1, { verdict: 'pass' }), { state: 'not-met', because, stale });
    const { summary } = mergeResults([one, shard(2, absent)]);
    expect(summary).toMatchObject({ exitCode: 1, gate: { state: 'not-met', because, stale } });
    const failing = mergeResults([one, shard(2, { verdict: 'fail', baselined: true })]);
    expect(failing.summary.gate).toEqual({ state: 'met', because: ['1 known failure'] });
  });

  test('is not met where a capability is missing that no other part has', () => {
    const missing = { state: 'not-met' as const, because: ['sink missing'], missing: ['sink'] };
    const one = gated(shard(1, { verdict: 'pass' }), missing);
    expect(mergeResults([one, shard(2, absent)]).summary.gate).toMatchObject(missing);
    const target = { ...sampleResult().target, capabilities: ['sink'] };
    expect(mergeResults([one, shard(2, absent, { target })]).summary.exitCode).toBe(0);
  });

  test('of loads is that of each of them: joined figures tell nothing', () => {
    const { load: _figures, ...sample } = sampleResult({ findings: [] });
    const part = (gate: NonNullable<RunResult['summary']['gate']>) =>
      gated(
        {
          ...sample,
          run: { ...sample.run, command: 'gatecheck load' },
          requirements: [sampleRequirement()],
        },
        gate,
      );
    const met = part({ state: 'met', because: ['1 threshold met'] });
    const { summary } = mergeResults([met, part({ state: 'not-met', because: ['1 threshold not met'] })]);
    expect(summary).toMatchObject({
      ...{ verdict: 'partial', exitCode: 1 },
      gate: { state: 'not-met', because: ['1 threshold not met (part 2)'] },
    });
    expect(summary.coverage.must.total).toBe(6);
    const lost = part({ state: 'undecided', because: ['the target was lost'] });
    expect(mergeResults([met, lost]).summary).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
    expect(mergeResults([met, met]).summary).toMatchObject({ verdict: 'partial', exitCode: 0 });
  });
});

describe('shards', () => {
  test('judge together what either of them judged, and the result is a valid one', () => {
    const merged = mergeResults([shard(1, absent), shard(2, { verdict: 'pass', samples: 3, checks: ['a'] })]);
    expect(resultSchema.safeParse(merged).error).toBeUndefined();
    expect(merged.requirements).toMatchObject([{ verdict: 'pass', samples: 3, checks: ['b', 'a'] }]);
    expect(merged.summary).toMatchObject({ verdict: 'conformant', passed: 1, exitCode: 0 });
    expect(merged.run).toMatchObject({ id: 'r1+r2', shard: null, end: 'completed' });
  });

  test.each<
    [said: [RequirementResult['verdict'], RequirementResult['verdict']], verdict: string, code: number]
  >([
    [['pass', 'fail'], 'nonconformant', 1],
    [['inconclusive', 'pass'], 'inconclusive', 3],
    [['warn', 'inconclusive'], 'inconclusive', 3],
    [['not-applicable', 'pass'], 'conformant', 0],
    [['skipped', 'skipped'], 'inconclusive', 3],
  ])('of which a must is %j are %s', ([one, other], verdict, code) => {
    const { summary } = mergeResults([shard(1, { verdict: one }), shard(2, { verdict: other })]);
    expect([summary.verdict, summary.exitCode]).toEqual([verdict, code]);
  });

  test('of which one is missing are no complete run', () => {
    const { summary } = mergeResults([shard(1, { verdict: 'pass' })]);
    expect(summary.exitCode).toBe(3);
    expect(summary.reasons?.join(' ')).toContain('of 2 shards, 2 is missing');
  });

  test('of which one had no occasion and the other was not asked have none together', () => {
    const reason = 'applies only if a subscribe is answered 422';
    const { requirements } = mergeResults([
      shard(1, absent),
      shard(2, { verdict: 'not-applicable', samples: 0, reason }),
    ]);
    expect(requirements).toMatchObject([{ verdict: 'not-applicable', reason }]);
  });

  test.each<[only: (string[] | undefined)[], merged: string[] | undefined]>([
    [
      [['a'], ['a', 'b']],
      ['a', 'b'],
    ],
    [[['a'], undefined], undefined],
    [[undefined, undefined], undefined],
  ])('of selections %j are one of %j', ([one, other], selected) => {
    const given = (only: string[] | undefined) => ({ run: { ...sampleResult().run, only } });
    expect(mergeResults([shard(1, {}, given(one)), shard(2, {}, given(other))]).run.only).toEqual(selected);
  });

  test('tell in which part an exchange was', () => {
    const findings = [sampleFinding({ exchanges: ['x7'] })];
    const merged = mergeResults([shard(1, {}), shard(2, {}, { findings })]);
    expect(merged.findings.map(({ exchanges }) => exchanges)).toEqual([['2/x7']]);
  });

  test('add up what was sent and what was spent', () => {
    const { summary } = mergeResults([shard(1, {}), shard(2, {})]);
    expect([summary.requests, summary.quotaUnits]).toEqual([624, 18]);
  });
});

test.each<[what: string, results: () => readonly RunResult[], code: string]>([
  ['none', () => [], 'NO_RESULTS'],
  ['the same shard twice', () => [shard(1, {}), shard(1, {})], 'STRANGE_SHARDS'],
  [
    'another version',
    () => [shard(1, {}), shard(2, {}, { tool: { name: 'gatecheck', version: '9', catalogue: '9' } })],
    'STRANGE_RESULTS',
  ],
])('of %s nothing is merged', (_what, results, code) => {
  expect(() => mergeResults(results())).toThrow(expect.objectContaining({ code }));
});

test('a gate holds for the whole, not for its parts', () => {
  const parts = [shard(1, absent), shard(2, { verdict: 'pass' })];
  expect(mergeResults(parts, { minMust: 1, strict: true }).summary.exitCode).toBe(0);
});
