import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { decisionOf } from './decision.ts';
import { refusedOtherwise } from './refusedOtherwise.ts';

const window = { limit: 5, windowMs: 60_000 };
const judged = (statuses: readonly number[]) => {
  const exchanges = statuses.map((status, index) =>
    exchange({ operation: 'wci.list', status, at: index * 100 }),
  );
  const decisions = exchanges.flatMap((one) => decisionOf(one) ?? []);
  return refusedOtherwise(decisions, exchanges, window);
};
const full = [200, 200, 200, 200, 200];

describe('a limiter that answers another status than 429', () => {
  test.each([503, 403, 400])('is found by HTTP %i exactly beyond the limit', (status) => {
    expect(judged([...full, status, status])).toMatchObject({ status: 'violated', actual: `HTTP ${status}` });
  });

  test.each([
    ['a failure before the limit', [200, 503, ...full, 503]],
    ['failures of two kinds', [...full, 503, 500]],
    ['a failure beside refusals', [...full, 429, 503]],
    ['too early to be the limit', [200, 200, 200, 503, 503]],
    ['no failure', full],
  ])('is not taken from %s', (_title, statuses) => {
    expect(judged(statuses)).toBeNull();
  });
});
