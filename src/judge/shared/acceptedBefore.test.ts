import { describe, expect, test } from 'vitest';
import { errorBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const date = ['Date', 'Sun, 01 Mar 2026 12:00:00 GMT'] as const;
const headers = [['Content-Type', 'application/json'], date] as const;
const flights = [
  {
    airline: 'EK',
    flight_number: '3',
    origin: 'DXB',
    destination: 'LHR',
    departure_datetime: '2026-04-01T10:00:00',
  },
];
const booking = { pnr: 'ABC123', flights, passengers: [{ first_name: 'A', last_name: 'B' }] };
const leg = {
  flightNumber: 'EK3',
  departureDate: '2026-04-01',
  departureAirportIata: 'DXB',
  arrivalAirportIata: 'LHR',
};
const refused = { status: 400, body: errorBody('VALIDATION_ERROR'), headers };

function judgeAgain(first: ExchangeSketch, second: ExchangeSketch) {
  const requestHeaders = [
    ['X-API-Key', 'k'],
    ['Content-Type', 'application/json'],
  ] as const;
  return judgeLast(
    exchange({ headers, requestHeaders, ...first }),
    exchange({ ...refused, requestHeaders, ...second }),
  ).violated;
}

const subscribe = { operation: 'wci.subscribe', body: subscribed() } as const;
const flight = { operation: 'fla.subscribe', body: { success: true, latest_status_snapshot: {} } } as const;
const lookup = { operation: 'fla.lookup', query: 'flightNumber=EK3&departureDate=2026-04-01' } as const;
const hook = { fid: '007', callbackUrl: 'https://partner.example.com/one' };

describe('what was accepted once', () => {
  test.each<[string, ExchangeSketch, ExchangeSketch, string]>([
    [
      'a booking under another locator, by another enterprise',
      { ...subscribe, sent: booking },
      {
        operation: 'wci.subscribe',
        enterprise: 'other',
        key: 'other#1',
        sent: { ...booking, pnr: 'XYZ789' },
      },
      'WCI-SUB-001',
    ],
    [
      'a leg',
      { ...flight, sent: leg },
      { operation: 'fla.subscribe', sent: { ...leg, callbackData: null } },
      'FLA-SUB-003',
    ],
    [
      'a leg with another path at the same host',
      { ...flight, sent: { ...leg, callbackData: hook } },
      {
        operation: 'fla.subscribe',
        sent: { ...leg, callbackData: { ...hook, callbackUrl: `${hook.callbackUrl}/2` } },
      },
      'FLA-CBR-014',
    ],
    ['a flight', { ...lookup, body: [] }, lookup, 'FLA-GET-001'],
  ])('%s is not refused as invalid', (_, first, second, row) => {
    expect(judgeAgain(first, second)).toEqual([row]);
  });

  test.each<[string, ExchangeSketch, ExchangeSketch]>([
    [
      'a booking of other flights',
      { ...subscribe, sent: booking },
      { operation: 'wci.subscribe', sent: { ...booking, flights: [] } },
    ],
    [
      'a booking without a pnr',
      { ...subscribe, sent: booking },
      { operation: 'wci.subscribe', sent: { ...booking, pnr: '' } },
    ],
    [
      'a booking whose day is near',
      { ...subscribe, sent: booking },
      { operation: 'wci.subscribe', sent: booking, headers: [['Date', 'Tue, 31 Mar 2026 12:00:00 GMT']] },
    ],
    [
      'a flight with a further parameter',
      { ...lookup, body: [] },
      { ...lookup, query: `${lookup.query}&departureDate=x` },
    ],
    [
      'a flight that was never found',
      { ...lookup, status: 404, body: errorBody('FLIGHT_NOT_FOUND') },
      lookup,
    ],
  ])('%s says nothing', (_, first, second) => {
    const rows = ['WCI-SUB-001', 'FLA-SUB-003', 'FLA-CBR-014', 'FLA-GET-001'];
    expect(judgeAgain(first, second).filter((row) => rows.includes(row))).toEqual([]);
  });
});
