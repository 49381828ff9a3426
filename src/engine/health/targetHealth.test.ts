import { expect, test } from 'vitest';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import { list, status } from '../../send/request.ts';
import { RunEnd } from './runEnd.ts';
import { TargetHealth } from './targetHealth.ts';

type Sketch = Omit<ExchangeSketch, 'operation'>;

interface Set {
  readonly provokesErrors?: boolean;
  readonly stepMs?: number;
  /** What the reads are answered; none by default. */
  readonly reads?: () => Promise<Sketch>;
}

function watched({ provokesErrors = false, stepMs = 10, reads }: Set = {}) {
  const [stops, told]: [string[], string[]] = [[], []];
  let [seen, slowMs, looks] = [0, 0, 0];
  const end = new RunEnd({
    clock: new VirtualClock(0),
    listener: (event) => event.name === 'notice' && stops.push(event.text),
    maxDurationMs: Number.POSITIVE_INFINITY,
    interrupt: new AbortController().signal,
    whyLost: () => health.lastFailure,
    onStop: () => undefined,
  });
  const next = (sketch: Sketch): Exchange => {
    seen += 1;
    const timings = { sentAt: 0, receivedAt: 0, sent: seen * stepMs - slowMs, received: seen * stepMs + 5 };
    return { ...exchange({ operation: 'wci.list', ...sketch }), id: `x${seen}`, timings };
  };
  const ask = async () => {
    looks += 1;
    const answer = next((await reads?.()) ?? {});
    health.see(answer);
    return answer;
  };
  const health: TargetHealth = new TargetHealth({
    ...{ end, provokesErrors, redact: (text) => text, tell: (text) => told.push(text) },
    reads: () => [list({})],
    ask: reads && ask,
  });
  const see = async (...sketches: readonly Sketch[]) => {
    for (const sketch of sketches) {
      health.see(next(sketch));
      await health.answered();
      // Another kind than the one that is left alone after 24.
      await health.admit(status({}));
    }
  };
  return { health, end, see, slow: (ms: number) => void (slowMs = ms), stops, told, looks: () => looks };
}

const broken = (count: number): Sketch[] =>
  Array.from({ length: count }, (_, index) => ({
    status: index % 2 === 0 ? 500 : 503,
    body: { error: 'INTERNAL_ERROR' },
  }));
const many = (count: number, sketch: Sketch) => Array.from({ length: count }, () => sketch);
const lost: Sketch = { lost: true };
const known: Sketch = { body: { success: true, data: [] } };
const page: Sketch = { status: 403, raw: '<html>no</html>' };

test('a target that only answers server errors is left alone', async () => {
  const { health, end, see, stops } = watched();
  await see(...broken(15));
  expect([end.isStopped, health.state]).toEqual([false, 'doubtful']);
  await see(...broken(1));
  expect([end.end, health.state, stops.length]).toEqual(['target-lost', 'away', 1]);
  expect(stops[0]).toContain('left alone');
});

test('the exchanges of an outage are known, with those that were under way when it was seen', async () => {
  const { health, see } = watched();
  await see(...broken(1), known, ...broken(15));
  expect([...health.outage]).toEqual([]);
  await see(...broken(1), lost, known);
  expect([...health.outage]).toEqual(Array.from({ length: 17 }, (_, index) => `x${index + 3}`));
});

test('a good answer to a request that was sent before an error came refutes nothing', async () => {
  const { health, see, slow } = watched();
  await see(...broken(1));
  slow(8);
  await see(known);
  slow(0);
  await see(...broken(16));
  expect([health.outage.has('x1'), health.outage.size]).toEqual([true, 17]);
});

test('one good answer starts the count anew, and provoked errors do not count', async () => {
  const { health, end, see } = watched();
  await see(...broken(15), known);
  expect(health.state).toBe('ok');
  await see(...broken(15));
  expect(end.isStopped).toBe(false);
  const provoked = watched({ provokesErrors: true, stepMs: 1_000 });
  await provoked.see(...broken(40));
  expect([provoked.end.isStopped, provoked.told]).toEqual([false, []]);
});

test('answers that do not come end it with their cause and what to do', async () => {
  const { end, see } = watched({ stepMs: 1_000 });
  await see(...many(8, lost));
  expect(end.end).toBe('target-lost');
  expect(end.reason).toMatch(/did not answer at http:\/\/127\.0\.0\.1:1: no answer\. .*connectTimeout/);
});

test('a deployment that is restarted is waited for: neither refused connections nor pages of a balancer within seconds end the run', async () => {
  const away = watched();
  await away.see(known, ...many(60, lost), known);
  expect(away.end.isStopped).toBe(false);
  const paged = watched();
  await paged.see(known, ...many(60, { status: 503, body: { error: 'UNAVAILABLE' } }));
  expect(paged.end.isStopped).toBe(false);
  const long = watched({ stepMs: 500 });
  await long.see(known, ...many(16, { status: 502, body: { error: 'UNAVAILABLE' } }));
  expect([long.end.isStopped, long.end.end]).toEqual([true, 'target-lost']);
});

test('a target is lost only where an ordinary read is not answered either', async () => {
  const answers = [known, known, lost];
  const { end, see, looks } = watched({
    stepMs: 1_000,
    reads: () => Promise.resolve(answers.shift() ?? lost),
  });
  await see(...broken(16));
  expect([looks(), end.isStopped]).toEqual([1, false]);
  // After a good answer, the target is asked again after twice as many.
  await see(known, ...broken(31));
  expect(looks()).toBe(1);
  await see(...broken(1));
  expect([looks(), end.isStopped]).toEqual([2, false]);
  await see(known, ...many(32, lost));
  expect([looks(), end.isStopped, end.end]).toEqual([3, true, 'target-lost']);
});

test('while it is asked whether a target is still there, whoever wants to send can wait for the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Sketch>();
  const { health, end, see } = watched({ stepMs: 1_000, reads: () => promise });
  expect(health.admit(list({}))).toBe(null);
  const seen = see(...broken(16));
  await Promise.resolve();
  for (let turn = 0; turn < 100 && health.admit(list({})) === null; turn += 1) await Promise.resolve();
  expect(health.admit(list({}))).not.toBe(null);
  resolve(lost);
  await seen;
  expect([health.admit(list({})), end.isStopped, end.end]).toEqual([null, true, 'target-lost']);
});

test('six strange answers in a row, and reads that are answered so as well: something else answers now', async () => {
  const { health, end, see, looks } = watched({ reads: () => Promise.resolve(page) });
  await see(...many(5, page));
  expect([looks(), health.state]).toEqual([0, 'doubtful']);
  await see(page);
  expect([looks(), health.state, end.end]).toEqual([1, 'another server', 'target-lost']);
  expect(end.reason).toContain('is not this API any more');
  expect([...health.outage]).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7']);
});

test('a deployment that answers what it refuses with pages, and reads as it should, is asked ever less often', async () => {
  const { health, see, looks } = watched({ reads: () => Promise.resolve(known) });
  await see(...many(6, page));
  expect([looks(), health.state]).toEqual([1, 'ok']);
  await see(...many(11, page));
  expect(looks()).toBe(1);
  await see(page);
  expect(looks()).toBe(2);
});

test('an answer of the API, or none at all, ends no doubt and begins none', async () => {
  const { see, looks } = watched({ reads: () => Promise.resolve(page) });
  await see(...many(5, page), lost, known, ...many(5, page));
  expect(looks()).toBe(0);
});

test('where no request is left for the reads, the doubt remains', async () => {
  const { health, end, see } = watched({ reads: () => Promise.reject(new BudgetExhausted('requests', 0)) });
  await see(...many(7, page));
  expect([end.isStopped, health.state]).toEqual([false, 'doubtful']);
});

test('a run that ends with strange answers looks before it believes them', async () => {
  const { health, see, looks } = watched({ reads: () => Promise.resolve(page) });
  await health.settle();
  expect(looks()).toBe(0);
  await see(...many(2, page));
  await health.settle();
  expect(health.state).toBe('another server');
});

test('three requests in a row that the limit refused for good end the run', async () => {
  const { health, end, see } = watched();
  health.refused();
  health.refused();
  await see(known);
  health.refused();
  health.refused();
  expect(end.isStopped).toBe(false);
  health.refused();
  expect([health.state, end.reason]).toEqual(['refusing', 'the target refuses everything by its rate limit']);
});
