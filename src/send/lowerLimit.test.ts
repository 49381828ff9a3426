import { expect, test } from 'vitest';
import { KeyRing } from './keyRing.ts';
import { LowerLimits } from './lowerLimit.ts';

const window = { limit: 60, windowMs: 60_000 };
const [one, other] = KeyRing.of({ primary: ['one', 'other'], other: [], special: {} }).primary;
type Refusal = readonly [count: number, now: number, waitMs?: number | null];

function learned(refusals: readonly Refusal[], keys = [one, one]) {
  const limits = new LowerLimits();
  const seen = refusals.map(([count, now, waitMs = 20_000], index) => {
    const key = keys[index % keys.length];
    return key ? limits.see({ key, window, count, waitMs, now }) : null;
  });
  return seen.at(-1)?.limit ?? null;
}

test.each<[what: string, refusals: readonly Refusal[], limit: number | null]>([
  ['one refusal', [[31, 0]], null],
  [
    'one in each of two minutes',
    [
      [31, 0],
      [29, 60_000],
    ],
    30,
  ],
  [
    'two at once',
    [
      [31, 0],
      [32, 500],
    ],
    null,
  ],
  [
    'those for the hour',
    [
      [31, 0, 900_000],
      [31, 60_000, 900_000],
    ],
    null,
  ],
  [
    'those without a wait',
    [
      [31, 0, null],
      [31, 60_000, null],
    ],
    30,
  ],
  [
    'those of a full minute',
    [
      [61, 0],
      [61, 60_000],
    ],
    null,
  ],
  [
    'those after hardly a request, as others cause them',
    [
      [3, 0],
      [5, 60_000],
    ],
    null,
  ],
])('%s of a key shows the limit %3$s', (_, refusals, limit) => {
  expect(learned(refusals)).toBe(limit);
});

test('two keys that are refused alike show it at once', () => {
  expect(
    learned(
      [
        [31, 0],
        [31, 10],
      ],
      [one, other],
    ),
  ).toBe(30);
});
