import { expect, test } from 'vitest';
import { judgeOwnHealth, type OwnReadings } from './ownHealth.ts';
import { Recorder } from '../send/recorder.ts';

const calm: OwnReadings = {
  elapsedMs: 10_000,
  cpuMs: 3000,
  busy: 0.3,
  loopDelay: { p50Ms: 0.1, p99Ms: 1, maxMs: 4 },
  gc: { count: 5, totalMs: 12, longestMs: 3 },
  peakMemoryMb: 120,
};

/** For each second: the number of requests, and how late each was sent. */
function recorded(
  seconds: readonly (readonly [sent: number, lateMs: number])[],
  latencyMs: number,
): Recorder {
  const recorder = new Recorder(1000);
  for (const [second, [sent, latenessMs]] of seconds.entries()) {
    for (let index = 0; index < sent; index += 1) {
      const times = {
        atMs: second * 1000 + index,
        latencyMs: latencyMs + latenessMs,
        serviceMs: latencyMs,
        latenessMs,
      };
      recorder.record({ operation: 'wci.list', status: '200', kind: 'ok', example: null, ...times }, null);
    }
  }
  return recorder;
}

test('a sender that was in time is sure up to the highest rate that it sent', () => {
  const health = judgeOwnHealth(
    calm,
    recorded(
      [
        [100, 0.2],
        [200, 0.5],
      ],
      20,
    ),
    1000,
  );
  expect(health).toMatchObject({ cpu: 0.3, doubts: [], surePerSecond: 200 });
});

test('a sender that falls behind says so, and up to which rate it is sure', () => {
  const health = judgeOwnHealth(
    { ...calm, busy: 0.97 },
    recorded(
      [
        [100, 0.2],
        [400, 2],
        [800, 90],
      ],
      10,
    ),
    1000,
  );
  expect(health.doubts).toEqual([
    '1 % of the requests left more than 90.0 ms late',
    'this process was at work 97 % of the time',
  ]);
  expect(health.surePerSecond).toBe(400);
});

test('what weighs little beside a slow target is no doubt', () => {
  expect(judgeOwnHealth(calm, recorded([[100, 8]], 500), 1000).doubts).toEqual([]);
  const gc = { count: 1, totalMs: 60, longestMs: 60 };
  expect(judgeOwnHealth({ ...calm, gc }, recorded([[100, 0]], 5), 1000).doubts).toEqual([
    'a garbage collection took 60.0 ms',
  ]);
  expect(judgeOwnHealth({ ...calm, gc }, recorded([[100, 0]], 900), 1000).doubts).toEqual([]);
});

test('late throughout, a part of the rate is guessed, or nothing is sure', () => {
  expect(judgeOwnHealth({ ...calm, busy: 1 }, recorded([[1000, 50]], 5), 1000).surePerSecond).toBe(700);
  expect(judgeOwnHealth(calm, recorded([[1000, 50]], 5), 1000).surePerSecond).toBeNull();
});
