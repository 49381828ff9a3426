import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { AbortWatch } from './abortWatch.ts';
import { Recorder } from './recorder.ts';
import { parseThreshold } from '../summary/thresholds.ts';

function watched(text: string, latencyAt: (second: number) => number, seconds: number, warmUpMs = 0) {
  const clock = new VirtualClock(0);
  const recorder = new Recorder(1000, warmUpMs);
  const threshold = parseThreshold(text);
  if (threshold === null) throw new Error(text);
  const watch = new AbortWatch({ thresholds: [threshold], recorder, clock, warmUpMs });
  watch.start();
  for (let second = 0; second < seconds && !watch.signal.aborted; second += 1) {
    for (let index = 0; index < 10; index += 1) {
      const latencyMs = latencyAt(second);
      const atMs = second * 1000 + index * 100;
      const times = { atMs, latencyMs, serviceMs: latencyMs, latenessMs: 0 };
      recorder.record({ operation: 'wci.list', status: '200', kind: 'ok', example: null, ...times }, null);
    }
    clock.advance(1000);
  }
  watch.stop();
  return watch.ended;
}

test('a threshold that is not met over its time ends the load, and says when and by what', () => {
  expect(watched('!p99<1s for 5s', (second) => (second < 10 ? 20 : 2000), 60)).toMatchObject({
    threshold: '!p99<1s for 5s',
    met: false,
    atMs: 11_000,
    actual: '2000.9ms',
  });
});

test('nothing ends before as much time has passed, nor in the warm-up', () => {
  expect(watched('!p50<1s for 10s', () => 2000, 9)).toBeNull();
  expect(watched('!p50<1s for 5s', () => 2000, 60, 20_000)?.atMs).toBe(25_000);
});

test('what is met ends nothing, however bad an instant of it was', () => {
  expect(watched('!p50<1s for 10s', (second) => (second === 15 ? 5000 : 20), 60)).toBeNull();
});

test.each([
  ['!p99<1s for 5s', 12],
  ['!rate>1/s for 5s', 15],
  ['!wci.status:p99<1s for 5s', null],
  ['!errors<1% for 5s', null],
  ['!p99>1ms for 5s', null],
])('where a target hangs from the tenth second on, %s ends the load: %s', (text, endsAt) => {
  const clock = new VirtualClock(0);
  const recorder = new Recorder(1000);
  const threshold = parseThreshold(text);
  if (threshold === null) throw new Error(text);
  const watch = new AbortWatch({ thresholds: [threshold], recorder, clock, warmUpMs: 0 });
  watch.start();
  for (let second = 0; second < 30 && !watch.signal.aborted; second += 1) {
    const times = { atMs: second * 1000, latencyMs: 20, serviceMs: 20, latenessMs: 0 };
    const [operation, since] = ['wci.list', clock.monotonic()] as const;
    for (let index = 0; index < 10; index += 1) {
      if (second >= 10) recorder.waiting.open({ operation, since });
      else recorder.record({ operation, status: '200', kind: 'ok', example: null, ...times }, null);
    }
    clock.advance(1000);
  }
  watch.stop();
  expect(watch.ended?.atMs ?? null).toBe(endsAt === null ? null : endsAt * 1000);
});

test('a threshold without the mark only judges', () => {
  expect(watched('p50<1s', () => 5000, 30)).toBeNull();
  expect(parseThreshold('p50<1s for 5s')).toBeNull();
  expect(parseThreshold('!callbacks:p50<1s for 5s')).toBeNull();
  expect(parseThreshold('!errors<1%')?.abortAfterMs).toBe(10_000);
});
