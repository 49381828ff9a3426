import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WindowLimit } from '../core/windowLimit.ts';
import { KeyWindow } from './keyWindow.ts';

const slackMs = 1000;
const minute = { limit: 3, windowMs: 60_000 };

/** A window in which each request was answered at the given times. */
function answeredAt(limits: readonly WindowLimit[], ...times: readonly number[]): KeyWindow {
  const window = new KeyWindow(limits);
  for (const time of times) {
    window.open();
    window.close(time);
  }
  return window;
}

test.each<[what: string, times: number[], now: number, freeIn: number]>([
  ['nothing was sent', [], 0, 0],
  ['one slot is left', [0, 10], 20, 0],
  ['the oldest answer is still in the window', [0, 10, 20], 30, 60_970],
  ['the oldest answer left the window this moment', [0, 10, 20], 61_000, 0],
  ['the oldest two have left it', [0, 10, 20], 61_010, 0],
])('where %s, answers at %j leave room at %i in %i ms', (_what, times, now, freeIn) => {
  expect(answeredAt([minute], ...times).freeIn(now)).toBe(freeIn);
});

test('requests under way hold their slots until they are answered', () => {
  const window = new KeyWindow([minute]);
  for (let index = 0; index < 3; index += 1) window.open();
  expect(window.freeIn(1_000_000)).toBe(Number.POSITIVE_INFINITY);
  window.close(1_000_000);
  expect(window.freeIn(1_000_500)).toBe(60_500);
});

test('of several limits the tightest decides', () => {
  const hour = { limit: 4, windowMs: 3_600_000 };
  const window = answeredAt([minute, hour], 0, 1, 100_000);
  expect(window.freeIn(100_001)).toBe(0);
  window.open();
  window.close(100_001);
  expect(window.freeIn(200_000)).toBe(3_401_000);
});

test('a blocked key is free when the block ends, and no earlier block shortens a later one', () => {
  const window = new KeyWindow([minute]);
  window.blockUntil(5000);
  window.blockUntil(2000);
  expect([window.freeIn(0), window.freeIn(4999), window.freeIn(5000)]).toEqual([5000, 1, 0]);
});

test('what an earlier run sent counts, in whatever order it is told', () => {
  const window = new KeyWindow([minute]);
  window.remember([-10_000, -30_000, -20_000]);
  expect(window.freeIn(0)).toBe(31_000);
  expect(window.recent(0)).toEqual([-30_000, -20_000, -10_000]);
  expect(window.recent(40_000)).toEqual([-20_000, -10_000]);
});

test('answers that have left every window are forgotten', () => {
  const window = new KeyWindow([{ limit: 5000, windowMs: 1000 }]);
  for (let time = 0; time < 5000; time += 1) {
    window.open();
    window.close(time);
  }
  expect(window.recent(1e9)).toEqual([]);
  expect(window.freeIn(1e9)).toBe(0);
});

interface Step {
  readonly do: 'wait' | 'send' | 'answer' | 'block';
  readonly ms: number;
}

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('wait', 'send', 'send', 'send', 'answer', 'answer', 'block'),
    ms: fc.nat(3000),
  }),
  { maxLength: 120 },
);
const limits = fc.array(
  fc.record({ limit: fc.integer({ min: 1, max: 5 }), windowMs: fc.integer({ min: 1, max: 9000 }) }),
  {
    minLength: 1,
    maxLength: 2,
  },
);

/** The log of one key in its simplest form, next to the window under test. */
class Model {
  readonly window: KeyWindow;
  readonly #limits: readonly WindowLimit[];
  readonly sent: { from: number; to: number }[] = [];
  now = 0;
  open: number[] = [];
  #blockedUntil = 0;

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
    this.window = new KeyWindow(limits);
  }

  do({ do: action, ms }: Step): void {
    if (action === 'wait') this.now += ms;
    else if (action === 'block') {
      this.#blockedUntil = Math.max(this.#blockedUntil, this.now + ms);
      this.window.blockUntil(this.now + ms);
    } else if (action === 'send' && this.window.freeIn(this.now) === 0) {
      this.open.push(this.now);
      this.window.open();
    } else if (action === 'answer') this.#answer(ms);
  }

  #answer(ms: number): void {
    const [from] = this.open.splice(ms % Math.max(1, this.open.length), 1);
    if (from === undefined) return;
    this.sent.push({ from, to: this.now });
    this.window.close(this.now);
  }

  mayAt(time: number): boolean {
    if (time < this.#blockedUntil) return false;
    return this.#limits.every(({ limit, windowMs }) => {
      const counted = this.sent.filter(({ to }) => to + windowMs + slackMs > time).length;
      return this.open.length + counted < limit;
    });
  }
}

describe('whatever is sent and whenever it is answered', () => {
  test('no window ever holds more than the limit, at whatever instant the server counts a request', () => {
    fc.assert(
      fc.property(
        limits,
        steps,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (all, todo, phase) => {
          const model = new Model(all);
          for (const step of todo) model.do(step);
          const counted = [...model.sent, ...model.open.map((from) => ({ from, to: model.now }))]
            .map(({ from, to }) => from + (to - from) * (phase.next().value as number))
            .sort((a, b) => a - b);
          for (const { limit, windowMs } of all)
            for (let index = 0; index + limit < counted.length; index += 1)
              expect((counted[index + limit] ?? 0) - (counted[index] ?? 0)).toBeGreaterThan(windowMs);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a slot is free exactly when the plain log says so, and no later', () => {
    fc.assert(
      fc.property(limits, steps, (all, todo) => {
        const model = new Model(all);
        for (const step of todo) {
          model.do(step);
          const freeIn = model.window.freeIn(model.now);
          if (freeIn === Number.POSITIVE_INFINITY) expect(model.mayAt(model.now + 1e9)).toBe(false);
          else {
            expect(model.mayAt(model.now + freeIn)).toBe(true);
            if (freeIn > 0) expect(model.mayAt(model.now + freeIn - 1)).toBe(false);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a server whose clock is moved forward has forgotten as much', () => {
  const window = answeredAt([minute], 0, 10, 20);
  window.age(60_500);
  expect(window.freeIn(30)).toBe(470);
  expect(answeredAt([minute], 0, 10).recent(0)).toEqual([0, 10]);
});
