import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { DeploymentClock } from '../shared/deploymentClock.ts';
import { CallbackQueue, type Job } from './queue.ts';

/** A queue whose receiver answers as told, then 200, and the times at which it was asked. */
function bench(answers: readonly (number | null)[] = []) {
  const clock = new DeploymentClock(new VirtualClock(0));
  const seen: { readonly at: number; readonly body: string }[] = [];
  const queue = new CallbackQueue(clock, ({ body }) => {
    const status = seen.length < answers.length ? (answers[seen.length] ?? null) : 200;
    seen.push({ at: clock.now(), body });
    return Promise.resolve({ status });
  });
  const push = (rest: Partial<Job> = {}, body = 'event') =>
    queue.push({
      enterprise: 'e1',
      lane: null,
      method: 'POST',
      url: 'https://sink.example.com/',
      message: (delivery) => ({ headers: {}, body: `${body} ${delivery}` }),
      retryMs: [1_000, 10_000],
      succeeded: (status) => status >= 200 && status < 300,
      followRedirects: false,
      givesUp: () => false,
      ...rest,
    });
  const pass = (ms: number) => clock.advance(ms, () => queue.settle());
  return { queue, seen, push, pass };
}

test('a failed delivery is repeated after its pauses, and given up after the last', async () => {
  const { queue, seen, push, pass } = bench([503, null, 404]);
  push();
  await pass(60_000);
  expect(seen).toEqual([
    { at: 0, body: 'event 0' },
    { at: 1_000, body: 'event 1' },
    { at: 11_000, body: 'event 2' },
  ]);
  expect(queue.size).toBe(0);
});

test('an event that lies in the queue for a while is pending, and repeated from then on', async () => {
  const { queue, seen, push, pass } = bench([503]);
  push({ delayMs: 3_000 });
  await pass(2_000);
  expect([queue.size, seen.length]).toEqual([1, 0]);
  await pass(60_000);
  expect(seen.map(({ at }) => at)).toEqual([3_000, 4_000]);
});

test('a queue that delivers at least once may deliver twice, and no more', async () => {
  const { queue, seen, push, pass } = bench();
  push({ copies: 2 });
  await pass(60_000);
  expect(seen.map(({ body }) => body)).toEqual(['event 0', 'event 0']);
  expect(queue.size).toBe(0);
});

test('events of one lane wait for each other, others do not', async () => {
  const { seen, push, pass } = bench([503]);
  push({ lane: 'a' }, 'first');
  push({ lane: 'a' }, 'second');
  push({}, 'other');
  await pass(60_000);
  expect(seen.map(({ body }) => body)).toEqual(['first 0', 'other 0', 'first 1', 'second 0']);
});

test('an address may be given up after failures in a row, and other addresses are not', async () => {
  const { seen, push, pass } = bench([503, 503, 200, 503, 503, 503]);
  const events = ['first', 'second', 'third', 'never'];
  for (const body of events) {
    push({ givesUp: (failures) => failures >= 3 }, body);
    await pass(60_000);
  }
  push({ givesUp: (failures) => failures >= 3, url: 'https://other.example.com/' }, 'other');
  await pass(60_000);
  const told = ['first 0', 'first 1', 'first 2', 'second 0', 'second 1', 'second 2', 'other 0'];
  expect(seen.map(({ body }) => body)).toEqual(told);
});

test('an event that yields lets others of its lane pass while it waits to be repeated', async () => {
  const { queue, seen, push, pass } = bench([503]);
  for (const name of ['first', 'second', 'third']) push({ lane: 'a', yields: true, delayMs: 400 }, name);
  await pass(60_000);
  expect(seen).toEqual([
    { at: 400, body: 'first 0' },
    { at: 800, body: 'second 0' },
    { at: 1_200, body: 'third 0' },
    { at: 1_400, body: 'first 1' },
  ]);
  expect(queue.size).toBe(0);
});

test.each([
  { behind: 'queued', told: ['first 0', 'second 0', 'third 0', 'first 1'] },
  { behind: 'dropped', told: ['first 0', 'first 1'] },
  { behind: 'newest', told: ['first 0', 'first 1', 'third 0'] },
] as const)('what comes while another is to be repeated may be $behind', async ({ behind, told }) => {
  const { queue, seen, push, pass } = bench([503]);
  push({}, 'first');
  await pass(100);
  for (const name of ['second', 'third'])
    push({ behindRetry: (status) => (status === 503 ? behind : 'queued') }, name);
  await pass(60_000);
  expect(seen.map(({ body }) => body)).toEqual(told);
  expect(queue.size).toBe(0);
});
