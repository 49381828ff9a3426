import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../settings/settings.ts';
import { mostWaitingMs, restOf, takesMs, usualPace, usualWidth, type Work } from './forecast.ts';

const nothing = { turns: 0, waits: 0, restMs: 0 };
const pace = { latencyMs: 1000, deliveryMs: 3000, ownMs: 2, width: 4, restShare: 1 };

function work(id: string, over: Partial<Work> = {}): Work {
  const kind = { isAlone: false, isLate: false, leastWaits: over.time?.waits ?? 0 };
  return { id, requests: over.time?.turns ?? 0, time: nothing, ...kind, ...over };
}

describe('what work takes', () => {
  test('checks side by side share the time of their answers; one that has to be alone holds up all others', () => {
    const shared = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) =>
      work(id, { time: { ...nothing, turns: 5 } }),
    );
    expect(takesMs(shared, pace, 0)).toBe(10_000);
    const alone = work('alone', { isAlone: true, time: { ...nothing, turns: 5 } });
    expect(takesMs([...shared, alone], pace, 0)).toBe(15_000);
  });

  test('no run is shorter than its longest check, nor than the longest of those that begin after it', () => {
    const long = work('long', { time: { turns: 2, waits: 6, restMs: 500 } });
    const late = work('late', { isLate: true, time: { ...nothing, waits: 1 } });
    expect(takesMs([long, late, work('short', { time: { ...nothing, turns: 1 } })], pace, 0)).toBe(23_500);
  });

  test('a property waits for deliveries within its bound, whatever they take', () => {
    const property = work('many', { time: { ...nothing, waits: 40 }, leastWaits: 2 });
    expect(takesMs([property], pace, 0)).toBe(mostWaitingMs + 6000);
  });

  test('requests take time of this machine where answers come at once', () => {
    const quick = { ...pace, latencyMs: 0 };
    expect(takesMs([work('a', { requests: 100, time: { ...nothing, turns: 1 } })], quick, 0)).toBe(200);
  });

  test('what the rate limits take is a lower bound, which work that waits for them exceeds by a part', () => {
    const some = [work('a', { time: { ...nothing, turns: 4 } })];
    expect([0, 60_000].map((limitsMs) => takesMs(some, pace, limitsMs))).toEqual([4000, 62_000]);
  });

  test('of work that is done in part the rest counts', () => {
    const half = restOf(work('a', { requests: 4, time: { turns: 4, waits: 2, restMs: 100 } }), 0.5);
    expect(half).toMatchObject({ requests: 2, time: { turns: 2, waits: 1, restMs: 50 }, leastWaits: 1 });
    expect(restOf(half, 7).requests).toBe(0);
  });
});

test('a pace is guessed by whose the target is, and by the keys', () => {
  const [embedded, foreign] = [{}, { target: 'https://api.example.com', keys: { primary: 'env:K' } }].map(
    (config) => usualPace(resolveSettings({ seed: 1, ...config }, { env: { K: 'a-key-of-a-user' } }), 2),
  );
  expect(embedded?.latencyMs).toBeLessThan(foreign?.latencyMs ?? 0);
  expect([embedded?.deliveryMs, foreign?.deliveryMs]).toEqual([0, 0]);
  expect([1, 3, 60].map(usualWidth)).toEqual([2, 3, 8]);
});
