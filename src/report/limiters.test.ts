import { describe, expect, test } from 'vitest';
import { sampleFinding, sampleRequirement } from '../../test/support/sampleResult.ts';
import { limitersOf, limitsVerdict } from './limiters.ts';

const minute = {
  ...{ title: 'Minute limit', limit: 60, windowMs: 60_000, model: 'rolling-log', name: 'rolling log of 60' },
  ...{ documented: true, contradictions: [], notTried: [] },
};
const hour = { ...minute, title: 'Hour limit', limit: 1000, name: 'no limit up to 60 an hour' };
const result = (limiters: (typeof minute)[], rest: object = {}) => ({
  ...{ limits: { limiters }, findings: [], requirements: [] },
  ...rest,
});
const broken = sampleRequirement({ id: 'SHR-LIM-013', verdict: 'fail' });

describe('the verdict of all limits', () => {
  test('is good only where no rule of the limits fails', () => {
    expect(limitsVerdict(result([minute]))).toEqual({ state: 'pass', text: 'Rate limits as documented' });
    expect(limitsVerdict(result([minute], { requirements: [broken] }))).toEqual({
      state: 'fail',
      text: 'Rate limits: SHR-LIM-013 fails',
    });
  });

  test('is open where a limit was not tried', () => {
    expect(limitsVerdict(result([minute, hour]))).toEqual({
      state: 'skipped',
      text: 'Rate limits: the hour limit was not tried',
    });
    expect(limitersOf(result([hour]))).toMatchObject([
      { name: 'not tried (60 of 1000 requests)', verdict: '' },
    ]);
  });

  test('names a limit that answers in another way than any limiter', () => {
    const finding = sampleFinding({ check: 'shared.limits.minute', actual: 'HTTP 500' });
    const limiters = limitersOf(result([], { findings: [finding] }));
    expect(limiters).toMatchObject([{ title: 'Minute limit', name: 'not named: HTTP 500', state: 'fail' }]);
  });
});
