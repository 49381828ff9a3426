import { expect, test } from 'vitest';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { acceptedBefore } from './acceptedBefore.ts';

function judge(sketch: ExchangeSketch): readonly string[] {
  const own = new Set(acceptedBefore.verifies);
  return judgeLast(exchange(sketch)).violated.filter((row) => own.has(row));
}

const lookup = (flightNumber: string, departureDate = '2026-03-09') =>
  judge({
    operation: 'fla.lookup',
    body: [],
    query: String(new URLSearchParams({ flightNumber, departureDate })),
  });

test.each(['EK3', 'ek - 0003', '6E12', 'UAE0003', 'QR00001', 'A1B2', '12345'])(
  'a lookup of %s may be answered',
  (number) => {
    expect(lookup(number)).toEqual([]);
  },
);

test.each([
  ['FLA-GET-008', ''],
  ['FLA-GET-016', 'EKQR'],
  ['FLA-GET-017', 'EK123456'],
  ['FLA-GET-018', 'E1'],
  ['FLA-GET-018', 'ABCD12'],
  ['FLA-GET-019', 'EK_12'],
  ['FLA-GET-039', 'QR123A'],
  // Of several readings the likelier one.
  ['FLA-GET-042', 'EK‐3'],
])('%s: a lookup of "%s" is not answered with legs', (row, number) => {
  expect(lookup(number)).toEqual([row]);
});

test.each([
  ['FLA-GET-009', ''],
  ['FLA-GET-021', '09.03.2026'],
  ['FLA-GET-022', '2026-03-09T00:00:00Z'],
  ['FLA-GET-023', '2026-02-30'],
])('%s: nor is one for "%s"', (row, date) => {
  expect(lookup('EK3', date)).toEqual([row]);
});

test('which value of a repeated parameter counts is open, and it should be refused', () => {
  const query = 'flightNumber=EK3&flightNumber=!&departureDate=2026-03-09';
  expect(judge({ operation: 'fla.lookup', body: [], query })).toEqual(['FLA-GET-010']);
});

const leg = {
  flightNumber: 'EK3',
  departureDate: '2026-03-09',
  departureAirportIata: 'DXB',
  arrivalAirportIata: 'LHR',
};
const data = { fid: '001', callbackUrl: 'https://hooks.example.com:8443/a?b=1' };
const subscribe = (sent: unknown, status = 200) =>
  judge({
    ...{ operation: 'fla.subscribe', status, body: { success: true }, sent },
    requestHeaders: [['Content-Type', 'application/json; charset=utf-8']],
  });

test('a valid subscribe may be accepted, and what is refused is no sample', () => {
  expect(subscribe({ ...leg, departureAirportIata: ' dxb', callbackData: data })).toEqual([]);
  expect(subscribe({ ...leg, callbackData: { ...data, fid: 'é'.repeat(256) } })).toEqual([]);
  expect(subscribe({ ...leg, callbackData: null })).toEqual([]);
  expect(subscribe({}, 400)).toEqual([]);
});

test.each([
  ['FLA-SUB-016', { ...leg, arrivalAirportIata: null }],
  ['FLA-SUB-016', { ...leg, flightNumber: ['EK3'] }],
  ['FLA-SUB-018', { ...leg, flightNumber: 'EK_3' }],
  ['FLA-SUB-019', { ...leg, departureDate: '2026-3-9' }],
  ['FLA-SUB-033', { ...leg, departureDate: '2026-02-30' }],
  ['FLA-SUB-020', { ...leg, departureAirportIata: 'DX1' }],
  ['FLA-CBR-018', { ...leg, callbackData: {} }],
  ['FLA-CBR-001', { ...leg, callbackData: { ...data, fid: null } }],
  ['FLA-CBR-002', { ...leg, callbackData: { ...data, fid: 5 } }],
  ['FLA-CBR-003', { ...leg, callbackData: { ...data, fid: '' } }],
  ['FLA-CBR-004', { ...leg, callbackData: { ...data, fid: 'a'.repeat(256) } }],
  ['FLA-CBR-006', { ...leg, callbackData: { fid: '001' } }],
])('%s: such a subscribe is not accepted', (row, sent) => {
  expect(subscribe(sent)).toEqual([row]);
});

test.each([
  ['FLA-CBR-007', 'http://hooks.example.com/'],
  ['FLA-CBR-008', 'https://user@hooks.example.com/'],
  ['FLA-CBR-009', 'https://8.8.8.8:443/'],
  ['FLA-CBR-010', 'https://[::1]/'],
  ['FLA-CBR-011', 'https://hooks.example.com/#x'],
  ['FLA-CBR-012', 'https://localhost:8443/'],
  ['FLA-CBR-012', 'https://intranet/'],
  ['FLA-CBR-013', 'not a url'],
])('%s: nor is one with the address %s', (row, callbackUrl) => {
  expect(subscribe({ ...leg, callbackData: { ...data, callbackUrl } })).toEqual([row]);
});

test('an empty fragment is none to some readers, and should be refused', () => {
  const callbackUrl = 'https://hooks.example.com/#';
  expect(subscribe({ ...leg, callbackData: { ...data, callbackUrl } })).toEqual(['FLA-CBR-024']);
});

test('what is searched for was not refused, but for what may be looked at afterwards', () => {
  const notFound = { status: 404, body: { success: false, error: 'FLIGHT_NOT_FOUND', message: 'none' } };
  const query = 'flightNumber=EKQR&departureDate=2026-03-09';
  expect(judge({ operation: 'fla.lookup', query, ...notFound })).toEqual(['FLA-GET-016']);
  const leg = { flightNumber: 'EK3', departureDate: '2026-03-09', departureAirportIata: 'DXB' };
  const requestHeaders = [['content-type', 'application/json']] as const;
  const ask = (more: object) =>
    judge({ operation: 'fla.subscribe', requestHeaders, sent: { ...leg, ...more }, ...notFound });
  expect(ask({ arrivalAirportIata: 'L1R' })).toEqual(['FLA-SUB-020']);
  expect(ask({ arrivalAirportIata: 'LHR', callbackData: { fid: 7 } })).toEqual([]);
});
