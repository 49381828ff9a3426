import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { exchange, type ExchangeSketch } from '../../test/support/judge/exchanges.ts';
import { Ending } from './ending.ts';

function ending(provokesErrors = false, stepMs = 10, stillThere?: () => Promise<boolean>) {
  const stops: string[] = [];
  let [seen, slowMs] = [0, 0];
  const one = new Ending({
    clock: new VirtualClock(0),
    listener: (event) => event.name === 'notice' && stops.push(event.text),
    maxDurationMs: Number.POSITIVE_INFINITY,
    interrupt: new AbortController().signal,
    provokesErrors,
    ...(stillThere === undefined ? {} : { stillThere }),
    onStop: () => undefined,
  });
  const see = (...sketches: readonly Omit<ExchangeSketch, 'operation'>[]) =>
    sketches.forEach((sketch) => {
      seen += 1;
      const timings = { sentAt: 0, receivedAt: 0, sent: seen * stepMs - slowMs, received: seen * stepMs + 5 };
      one.see({ ...exchange({ operation: 'wci.list', ...sketch }), id: `x${seen}`, timings });
    });
  const slow = (ms: number) => void (slowMs = ms);
  return { one, see, slow, stops };
}

const broken = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ status: index % 2 === 0 ? 500 : 503 }));

test('a target that only answers server errors is left alone', () => {
  const { one, see, stops } = ending();
  see(...broken(15));
  expect(one.isStopped).toBe(false);
  see({ status: 500 });
  expect([one.end, stops.length]).toEqual(['target-lost', 1]);
  expect(stops[0]).toContain('left alone');
});

test('the exchanges of an outage are known, with those that were under way when it was seen', () => {
  const { one, see } = ending();
  see({ status: 500 }, { status: 200 }, ...broken(15));
  expect([...one.outage]).toEqual([]);
  see({ status: 503 }, { lost: true }, { status: 200 });
  expect([...one.outage]).toEqual(Array.from({ length: 17 }, (_, index) => `x${index + 3}`));
});

test('a good answer to a request that was sent before an error came refutes nothing', () => {
  const { one, see, slow } = ending();
  see({ status: 500 });
  slow(8);
  see({ status: 200 });
  slow(0);
  see(...broken(16));
  expect(one.outage.has('x1')).toBe(true);
  expect(one.outage.size).toBe(17);
});

test('one good answer starts the count anew, and provoked errors do not count', () => {
  const { one, see } = ending();
  see(...broken(15), { status: 404 }, ...broken(15));
  expect(one.isStopped).toBe(false);
  const provoked = ending(true);
  provoked.see(...broken(40));
  expect(provoked.one.isStopped).toBe(false);
});

test('answers that do not come end it with their cause and what to do', () => {
  const { one, see } = ending(false, 1_000);
  see(...Array.from({ length: 8 }, () => ({ lost: true })));
  expect(one.end).toBe('target-lost');
  expect(one.reason).toMatch(/did not answer at http:\/\/127\.0\.0\.1:1: no answer\. .*connectTimeout/);
});

test('a deployment that is restarted is waited for: neither refused connections nor pages of a balancer within seconds end the run', () => {
  const lost = ending();
  lost.see({ status: 200 }, ...Array.from({ length: 60 }, () => ({ lost: true })), { status: 200 });
  expect(lost.one.isStopped).toBe(false);
  const paged = ending();
  paged.see({ status: 200 }, ...Array.from({ length: 60 }, () => ({ status: 503 })));
  expect(paged.one.isStopped).toBe(false);
  const long = ending(false, 500);
  long.see({ status: 200 }, ...Array.from({ length: 16 }, () => ({ status: 502 })));
  expect([long.one.isStopped, long.one.end]).toEqual([true, 'target-lost']);
});

test('a target is lost only where an ordinary read is not answered either', async () => {
  let looks = 0;
  const answers = [true, true, false];
  const { one, see } = ending(false, 1_000, () => Promise.resolve(answers[looks++] ?? false));
  see(...broken(16));
  await Promise.resolve();
  expect([looks, one.isStopped]).toEqual([1, false]);
  // After a good answer, the target is asked again after twice as many.
  see({ status: 200 }, ...broken(31));
  expect(looks).toBe(1);
  see({ status: 500 });
  await Promise.resolve();
  expect([looks, one.isStopped]).toEqual([2, false]);
  see({ status: 200 }, ...Array.from({ length: 32 }, () => ({ lost: true })));
  await Promise.resolve();
  expect([looks, one.isStopped, one.end]).toEqual([3, true, 'target-lost']);
});

test('while it is asked whether a target is still there, whoever wants to send can wait for the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { one, see } = ending(false, 1_000, () => promise);
  expect(one.looking).toBe(null);
  see(...broken(16));
  const { looking } = one;
  expect(looking).not.toBe(null);
  resolve(false);
  await looking;
  expect([one.looking, one.isStopped, one.end]).toEqual([null, true, 'target-lost']);
});
