import { describe, expect, test } from 'vitest';
import { consumedUnits, unitsBetween } from './quota.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

const accepted = (quota?: unknown) =>
  exchange({ operation: 'wci.subscribe', body: { success: true, message: 'SCHEDULED', quota } });

describe('units of quota', () => {
  test('are counted between two answers that show them', () => {
    const [one, other] = [
      { included_units: 9, consumed_units: 3 },
      { included_units: 9, consumed_units: 4 },
    ].map(accepted);
    expect(one && other && unitsBetween(one, other)).toBe(1);
    expect(one && unitsBetween(one, accepted())).toBeNull();
    expect(consumedUnits(accepted(null))).toBeNull();
  });
});
