import { describe, expect, test } from 'vitest';
import { timeLeft, type Outlook } from './forecast.ts';

const minute = 60_000;

describe('one key, whose window takes 60 requests a minute', () => {
  const outlook: Outlook = { plannedRequests: 360, expectedMs: 5 * minute, requestMs: 40 };
  /** A window at once, and then its minute. */
  const at = (elapsedMs: number) => ({
    sent: Math.min(360, 60 * (1 + Math.floor(elapsedMs / minute))),
    elapsedMs,
    requestsMs: 60 * 20,
  });

  test('the header says what the whole takes', () => {
    expect(timeLeft(outlook) / minute).toBeCloseTo(5.2, 1);
  });

  test.each([0.1, 1, 1.9, 2.5, 3.3, 4.5])(
    'after %d min the whole is still the same, within a fifth and a minute',
    (minutes) => {
      const whole = minutes + timeLeft(outlook, at(minutes * minute)) / minute;
      expect(Math.abs(whole - 5)).toBeLessThan(1 + 0.2 * 5);
    },
  );

  test('a run that is slower than the limits explain is expected to stay slow', () => {
    const slow = { sent: 180, elapsedMs: 5 * minute, requestsMs: 4000 };
    expect(timeLeft(outlook, slow)).toBeGreaterThan(4 * minute);
  });
});

describe('without a wait for limits', () => {
  const outlook: Outlook = { plannedRequests: 4000, expectedMs: 0, requestMs: 4 };

  test('the measured pace outweighs the guess as the run goes on', () => {
    expect(timeLeft(outlook)).toBe(16_000);
    expect(timeLeft(outlook, { sent: 100, elapsedMs: 1000, requestsMs: 9000 })).toBeCloseTo(27_300);
    expect(timeLeft(outlook, { sent: 2000, elapsedMs: 20_000, requestsMs: 99_000 })).toBeCloseTo(19_429, -1);
  });

  test('nothing is left when all is sent, nor where nothing is planned', () => {
    expect(timeLeft(outlook, { sent: 4100, elapsedMs: 9000, requestsMs: 9000 })).toBe(0);
    expect(timeLeft({ ...outlook, plannedRequests: 0 })).toBe(0);
  });
});
