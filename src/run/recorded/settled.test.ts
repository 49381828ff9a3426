import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../test/support/judge/passenger.ts';
import type { Exchange } from '../../core/evidence.ts';
import { knownFlights } from '../../judge/flightAlerts/oracles/knownFlights.ts';
import { knownBookings } from '../../judge/webcheckin/oracles/knownBookings.ts';
import { recordedOracles } from './recordedOracles.ts';

/** What a recording that may lack anything shows broken. */
function brokenIn(...evidence: readonly Exchange[]): readonly string[] {
  const { oracles, add } = recordedOracles([knownFlights, knownBookings]);
  const watches = oracles.map((oracle) => oracle.createWatch({ movedMs: 0 }));
  for (const one of evidence) {
    add({ evidence: one, isOwn: false, isWhole: false, showsCredentials: true });
    for (const watch of watches) watch.exchange?.(one);
  }
  const samples = watches.flatMap((watch) => watch.end?.() ?? []);
  return samples.map(({ requirement }) => requirement);
}

const requestHeaders = [['content-type', 'application/json']] as const;
const flight = { flightNumber: 'EK3', departureDate: '2026-03-09' };
const leg = { ...flight, departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' };
const mine = { fid: '007', callbackUrl: 'https://example.com/a' };
const [otherFid, otherUrl] = [
  { ...mine, fid: '7' },
  { ...mine, callbackUrl: 'https://example.com/b' },
];

function ask(callbackData: object | null, at: number, answer: object = {}, key: string | null = 'primary#1') {
  const sent = { ...leg, ...(callbackData && { callbackData }) };
  const body = { success: true, latest_status_snapshot: {}, ...answer };
  return { ...exchange({ operation: 'fla.subscribe', at, requestHeaders, sent, body }), key };
}

const registers = { callbackApiKey: 'fac_12345678' };
const made = ask(mine, 0, registers);

test('a recording shows that a registered callback is contradicted', () => {
  expect(brokenIn(made, ask(otherFid, 1000))).toEqual(['FLA-SUB-009']);
  expect(brokenIn(made, ask(otherUrl, 1000))).toEqual(['FLA-SUB-008']);
});

test('what keeps the callback, or loses it, is told by the key that comes with the next one', () => {
  const polling = ask(null, 1000);
  expect(brokenIn(made, polling, ask(otherUrl, 2000))).toEqual(['FLA-SUB-008']);
  expect(brokenIn(made, polling, ask(otherUrl, 2000, registers))).toEqual([]);
  const body = { success: false, error: 'CALLBACK_ALREADY_REGISTERED', message: 'other' };
  const sent = { ...leg, callbackData: otherUrl };
  const refused = exchange({ operation: 'fla.subscribe', at: 1000, requestHeaders, sent, status: 409, body });
  // It may have taken its place, by which another sentence is broken.
  expect(brokenIn(made, { ...refused, key: 'primary#1' }, ask(otherUrl, 2000))).toEqual(['FLA-SUB-011']);
});

test.each([
  { what: 'was not surely registered', trace: [ask(mine, 0), ask(otherFid, 1000)] },
  { what: 'is of another key', trace: [made, ask(otherFid, 1000, {}, 'primary#2')] },
  {
    what: 'is of a key that was blanked',
    trace: [ask(mine, 0, registers, null), ask(otherFid, 9, {}, null)],
  },
  { what: 'came at the same time', trace: [made, ask(otherFid, 0)] },
])('a recording shows no contradiction where a callback $what', ({ trace }) => {
  expect(brokenIn(...trace)).toEqual([]);
});

const flown = {
  ...{ airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' },
  departure_datetime: '2026-03-29T10:30:00',
};
const booking = { checkin_id: 'chk-1234567890', status: 'SCHEDULED', missing_info: [] };

function list(item: object) {
  const pagination = { page: 0, limit: 100, total: 1, totalPages: 1 };
  const body = { success: true, data: [{ ...booking, pnr: 'ABC123', ...flown, ...item }], pagination };
  return exchange({ operation: 'wci.list', query: 'page=0&limit=100', at: 60_000, body });
}

test('a recording shows that a list has another itinerary than was sent; the locator may have changed', () => {
  const sent = { pnr: 'ABC123', flights: [flown], passengers: [passenger] };
  const one = exchange({
    operation: 'wci.subscribe',
    at: 0,
    requestHeaders,
    sent,
    body: subscribed(booking),
  });
  expect(brokenIn(one, list({}))).toEqual([]);
  expect(brokenIn(one, list({ departure_datetime: '2026-03-29T06:30:00' }))).toEqual(['WCI-DT-014']);
  expect(brokenIn(one, list({ destination: 'LGW' }))).toEqual(['WCI-LST-020']);
  expect(brokenIn(one, list({ pnr: 7 }))).toEqual([]);
});
