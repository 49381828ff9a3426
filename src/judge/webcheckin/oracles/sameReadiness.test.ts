import { expect, test } from 'vitest';
import { subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const rows = ['WCI-SUB-005', 'WCI-SUB-014'];

function judge(first: readonly string[], second: readonly string[], more: object = {}) {
  const send = (pnr: string, missing: readonly string[], rest: object) =>
    exchange({
      operation: 'wci.subscribe',
      sent: { pnr, flights: [{ airline: 'EK' }], passengers: [{ first_name: 'A' }], ...rest },
      body: subscribed({
        ...{ checkin_id: `chk-${pnr}`, missing_info: missing },
        sub_status: missing.length === 0 ? 'COMPLETE_INFO' : 'INFO_MISSING',
      }),
    });
  return judgeLast(send('ABC123', first, {}), send('XYZ789', second, more)).violated.filter((row) =>
    rows.includes(row),
  );
}

test('the same flights and passengers are as complete each time', () => {
  expect(judge([], [])).toEqual([]);
  expect(judge(['passport'], ['passport'])).toEqual([]);
  expect(judge([], ['passport'])).toEqual(['WCI-SUB-005']);
  expect(judge(['passport'], [])).toEqual(['WCI-SUB-014']);
});

test('other passengers, and a booking without a locator, are another matter', () => {
  expect(judge([], ['passport'], { passengers: [{ first_name: 'B' }] })).toEqual([]);
  expect(judge([], ['pnr'], { pnr: 'x' })).toEqual([]);
});
