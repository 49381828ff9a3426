import { describe, expect, test } from 'vitest';
import { consumedUnits, notBehind, took, unitsBetween } from './quota.ts';
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

  test('are not fewer than the answer before showed', () => {
    const shown = (consumed_units: number) => accepted({ included_units: 9, consumed_units });
    expect(notBehind(shown(3), shown(3)).status).toBe('holds');
    expect(notBehind(shown(3), accepted()).status).toBe('holds');
    expect(notBehind(shown(3), shown(2)).status).toBe('violated');
  });

  test('taken as they should be are never doubted', () => {
    expect(took(1, 1, false).status).toBe('holds');
  });

  test('taken otherwise break the rule only where nobody else took any', () => {
    expect(took(2, 1, true).status).toBe('violated');
    expect(took(0, 1, true).status).toBe('violated');
    expect(took(2, 1, false).status).toBe('unclear');
    expect(took(null, 1, true).status).toBe('unclear');
  });
});
