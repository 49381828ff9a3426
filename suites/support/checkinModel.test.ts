import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OwnRecord } from '../checks.ts';
import { Attempts, sequences, stepsPerSequence } from './checkinModel.ts';

describe('sequences', () => {
  it('are plain data that survives being stored, and never too long', () => {
    fc.assert(
      fc.property(sequences, (steps) => {
        expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
        expect(steps.length).toBeGreaterThan(0);
        expect(steps.length).toBeLessThanOrEqual(stepsPerSequence);
      }),
      { seed: 7 },
    );
  });

  it('shrink to the step that fails', () => {
    const found = fc.check(
      fc.property(sequences, (steps) => steps.every((step) => step.do !== 'intrude')),
      { seed: 7 },
    );
    expect(found.counterexample?.[0]).toHaveLength(1);
  });
});

describe('Attempts', () => {
  it('keeps the attempts of two enterprises for the same booking apart', () => {
    const attempts = new Attempts();
    const record = { checkinId: 'one' } as OwnRecord;
    attempts.set({ enterprise: 0, booking: 1 }, record);
    expect(attempts.get({ enterprise: 1, booking: 1 })).toBeNull();
    expect(attempts.get({ enterprise: 0, booking: 1 })).toBe(record);
    expect(attempts.places).toEqual([{ enterprise: 0, booking: 1 }]);
  });
});
