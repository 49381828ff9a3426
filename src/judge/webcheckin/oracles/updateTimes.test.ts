import { expect, test } from 'vitest';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const earlier = '2026-03-01T11:00:00.500Z';
const later = '2026-03-01T11:00:01.250Z';

function shows(
  operation: 'wci.update' | 'wci.status',
  at: string,
  missing: readonly string[],
  more: object = {},
) {
  const record = {
    ...{ checkin_id: 'chk-12345678', booking_id: 7, status: 'SCHEDULED', checkin_message: '' },
    ...{ sub_status: 'X', missing_info: missing, boarding_passes: [], last_updated: at },
  };
  const body =
    operation === 'wci.status'
      ? { success: true, ...record }
      : { success: true, type: 'passengers', operation: 'update', data: record };
  return exchange({ operation, body, ...more });
}

test.each([
  ['moves', 'wci.update', later, 'email', []],
  ['stays, with the same missing', 'wci.update', earlier, 'pnr', []],
  ['stays, with something else missing', 'wci.update', earlier, 'email', ['WCI-UPD-034']],
  ['stays in a read', 'wci.status', earlier, 'email', []],
] as const)('a last_updated that %s', (_, operation, at, missing, rows) => {
  const last = shows(operation, at, [missing], { at: 104_000 });
  const { violated } = judgeLast(shows('wci.status', earlier, ['pnr'], { at: 100_000 }), last);
  expect(violated.filter((row) => row === 'WCI-UPD-034')).toEqual(rows);
});

test('two updates of one moment, by whatever clocks, have one time', () => {
  const first = shows('wci.update', earlier, ['pnr'], { at: 100_000, until: 100_010 });
  const second = shows('wci.update', earlier, ['email'], { at: 102_000, until: 102_010 });
  expect(judgeLast(first, second).violated).not.toContain('WCI-UPD-034');
  const whole = '2026-03-01T11:00:00.000Z';
  const one = shows('wci.update', whole, ['pnr'], { at: 100_000, until: 100_010 });
  const other = shows('wci.update', whole, ['email'], { at: 103_500, until: 103_510 });
  expect(judgeLast(one, other).violated).not.toContain('WCI-UPD-034');
});
