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

test('the hour of a flight is no matter, and by parts as much is read as was before', () => {
  const flights = (departure_datetime: string) => ({ flights: [{ airline: 'EK', departure_datetime }] });
  const one = (pnr: string, missing: readonly string[], rest: object, parts = false) =>
    exchange({
      operation: 'wci.subscribe',
      ...(parts ? uploaded({ pnr, ...rest }) : { sent: { pnr, ...rest } }),
      body: subscribed({ checkin_id: `chk-${pnr}`, missing_info: missing }),
    });
  const [early, late] = [
    { passengers: [{ first_name: 'A' }], ...flights('2026-04-01T10:00:00') },
    { passengers: [{ first_name: 'A' }], ...flights('2026-04-02T12:00:00') },
  ];
  const rowsOf = (...all: ReturnType<typeof one>[]) =>
    judgeLast(...all).violated.filter((row) => rows.includes(row));
  expect(rowsOf(one('ABC123', [], early), one('XYZ789', ['x'], late))).toEqual(['WCI-SUB-005']);
  expect(rowsOf(one('ABC123', [], early), one('XYZ789', ['pnr'], late, true))).toEqual([]);
  const whole = one('ABC124', [], { ...early, passengers: [{ first_name: 'B' }] }, true);
  expect(rowsOf(one('ABC123', [], early), whole, one('XYZ789', ['x'], late, true))).toEqual(['WCI-SUB-005']);
});

/** The same by parts. */
function uploaded(body: Readonly<Record<string, unknown>>) {
  const part = (name: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const parts = Object.entries(body).map(([name, value]) =>
    part(name, typeof value === 'string' ? value : JSON.stringify(value)),
  );
  return {
    sentRaw: `${parts.join('')}--b--\r\n`,
    requestHeaders: [['Content-Type', 'multipart/form-data; boundary=b']] as const,
  };
}

test('other passengers, and a booking without a locator, are another matter', () => {
  expect(judge([], ['passport'], { passengers: [{ first_name: 'B' }] })).toEqual([]);
  expect(judge([], ['pnr'], { pnr: 'x' })).toEqual([]);
});
