import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../../test/support/load.ts';
import { arrivalsOf, slicesOf, type Arrival } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';

const plan: LoadPlan = {
  ...samplePlan,
  ratePerSecond: 60,
  mix: [
    { operation: 'wci.subscribe', weight: 1 },
    { operation: 'wci.status', weight: 1 },
  ],
};
const all = (of: LoadPlan): readonly (readonly Arrival[])[] =>
  slicesOf(of).map((slice) => [...arrivalsOf(of, slice)]);

describe('subscribes of one booking at the same time', () => {
  test('some come in pairs, next to each other, at one time and with one payload', () => {
    for (const slice of all({ ...plan, twins: true })) {
      const places = slice.flatMap(({ twin }, place) => (twin === undefined ? [] : [place]));
      expect(places.length).toBeGreaterThan(2);
      for (let pair = 0; pair < places.length; pair += 2) {
        const [first, second] = [slice[places[pair] ?? -1], slice[places[pair + 1] ?? -1]];
        expect(places[pair + 1]).toBe((places[pair] ?? 0) + 1);
        expect(second).toMatchObject({ atMs: first?.atMs, draw: first?.draw, twin: first?.index });
        expect(second?.index).not.toBe(first?.index);
      }
    }
  });

  test('no arrival is lost or made by it, and times never go back', () => {
    const [plain, paired] = [all(plan), all({ ...plan, twins: true })];
    for (const [index, slice] of paired.entries()) {
      const indices = slice.map((one) => one.index).sort((one, other) => one - other);
      expect(indices).toEqual(plain[index]?.map((one) => one.index));
      const times = slice.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    }
  });

  test('reads never come in pairs', () => {
    const reads = { ...plan, mix: [{ operation: 'wci.list', weight: 1 }] as const, twins: true };
    expect(
      all(reads)
        .flat()
        .some(({ twin }) => twin !== undefined),
    ).toBe(false);
  });
});
