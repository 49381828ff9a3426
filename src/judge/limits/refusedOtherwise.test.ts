import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { decisionOf } from './decision.ts';
import { inWords } from '../../../test/support/judge/inWords.ts';
import { refusedOtherwise } from './refusedOtherwise.ts';

const window = { limit: 5, windowMs: 60_000 };
const judged = (statuses: readonly number[]) =>
  judgedAt(statuses.map((status, index) => ({ status, at: index * 100 })));
const judgedAt = (answers: readonly { readonly status: number; readonly at: number }[]) => {
  const exchanges = answers.map((answer) => exchange({ operation: 'wci.list', ...answer }));
  const decisions = exchanges.flatMap((one) => decisionOf(one) ?? []);
  return refusedOtherwise(decisions, exchanges, window);
};
const full = [200, 200, 200, 200, 200];

describe('a limiter that answers another status than 429', () => {
  test.each([503, 403, 400])('is found by HTTP %i exactly beyond the limit', (status) => {
    expect(inWords(judged([...full, status, status]))).toMatchObject({
      status: 'violated',
      actual: `HTTP ${status}`,
    });
  });

  test('is found where it breaks for good once it is full', () => {
    const laterToo = [...full, 500, 500, 500].map((status, index) => ({ status, at: index * 20_000 }));
    const early = [...full, 500, 500].map((status, index) => ({ status, at: index * 100 }));
    expect(inWords(judgedAt([...early, { status: 500, at: 90_000 }]))).toMatchObject({ actual: 'HTTP 500' });
    expect(judgedAt(laterToo)).toBeNull();
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
