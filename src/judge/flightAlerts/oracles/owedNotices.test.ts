import { expect, test } from 'vitest';
import { legRequest } from '../../../../test/support/judge/bodies.ts';
import { delivery } from '../../../../test/support/judge/deliveries.ts';
import { exchange, testStart } from '../../../../test/support/judge/exchanges.ts';
import { lookAt, stepAt } from '../../../../test/support/judge/steps.ts';
import { isDelivery, type Delivery, type Exchange } from '../../../core/evidence.ts';
import type { Note } from '../../../trace/evidence.ts';
import { owedNotices } from './owedNotices.ts';

const sent = legRequest();
const leg = {
  flightNumber: sent.flightNumber,
  status: 'schedule',
  departure: { airportIata: sent.departureAirportIata, gate: 'A1', terminal: '1' },
  arrival: { airportIata: sent.arrivalAirportIata },
};
const flight = { flightNumber: sent.flightNumber, departureDate: sent.departureDate };
const token = 'tokenOfTheFirstMailbox';

function judge(...evidence: readonly (Delivery | Exchange | Note)[]): readonly string[] {
  return judged('violated', ...evidence);
}

function judged(status: string, ...evidence: readonly (Delivery | Exchange | Note)[]): readonly string[] {
  const watch = owedNotices.createWatch();
  const said = evidence.flatMap((one) => {
    if (!('type' in one))
      return isDelivery(one) ? (watch.delivery?.(one) ?? []) : (watch.exchange?.(one) ?? []);
    watch.note?.(one);
    return [];
  });
  return [...said, ...(watch.end?.() ?? [])]
    .filter(({ judgement }) => judgement.status === status)
    .map(({ requirement }) => requirement);
}

function subscribe(callbackData: object | undefined, shown: object = leg): Exchange {
  return exchange({
    ...{ operation: 'fla.subscribe', at: 1_000, requestHeaders: [['content-type', 'application/json']] },
    sent: { ...sent, ...(callbackData && { callbackData }) },
    body: {
      success: true,
      latest_status_snapshot: shown,
      ...(callbackData && { callbackApiKey: 'fac_aaaa' }),
    },
  });
}

const callback = { fid: '007', callbackUrl: `https://sink.example.com/${token}/hook` };
const made = [stepAt(0, 'flights.put', { ...flight, legs: [leg] }), subscribe(callback)];
const change = (at: number, changes: object) =>
  stepAt(at, 'flights.change', {
    ...{ ...flight, departureAirportIata: sent.departureAirportIata },
    ...{ arrivalAirportIata: sent.arrivalAirportIata, changes: { ...changes } },
  });
const told = (at: number, changes: object, answer = '200'): Delivery => ({
  ...delivery({ token, body: { fid: callback.fid, changes }, answer }),
  receivedAt: testStart + at * 1000,
});
const quiet = (at: number) => [lookAt(at + 2, 0), lookAt(at + 3, 0)];

const gate = (value: string | null) => ({ departure: { gate: value } });
const first = [change(10, gate('B2')), told(11, gate('B2')), ...quiet(12)];

test('changes that are notified owe nothing more', () => {
  expect(judge(...made, ...first, change(20, gate('C3')), told(21, gate('C3')), ...quiet(22))).toEqual([]);
});

test('a change that is not notified is missed once nothing is pending, if the address was ever reached', () => {
  expect(judge(...made, ...first, change(20, gate('C3')), ...quiet(22))).toEqual(['FLA-CB-001']);
  expect(judge(...made, ...first, change(20, gate('C3')), lookAt(22, 1))).toEqual([]);
  expect(judge(...made, change(20, gate('C3')), ...quiet(22))).toEqual([]);
});

test('what is gathered for a moment is told together, though nothing is pending meanwhile', () => {
  const both = { ...gate('C3'), status: 'delay' };
  const soon = [change(20, gate('C3')), lookAt(20.2, 0), lookAt(20.3, 0), change(20.4, { status: 'delay' })];
  expect(judge(...made, ...first, ...soon, told(21, both), told(21.1, both), ...quiet(22))).toEqual([]);
  expect(judge(...made, ...first, ...soon, told(21, { status: 'delay' }), ...quiet(22))).toEqual([
    'FLA-CB-001',
  ]);
});

test('what another enterprise registers with the same callback may be told there as well', () => {
  const other = { ...subscribe(callback), id: 'x9', enterprise: 'other' };
  const whole = told(20, leg);
  expect(
    judge(...made, ...first, other, whole, change(30, gate('C3')), told(31, gate('C3')), ...quiet(32)),
  ).toEqual([]);
});

test('a change that a refused notice had told before is not cut short', () => {
  const refused = told(2, leg, '500');
  const changes = [change(10, { status: 'delay' }), told(11, { status: 'delay' }), ...quiet(12)];
  const back = [change(20, { status: 'schedule' }), told(21, { status: 'schedule' }), ...quiet(22)];
  expect(judge(...made, refused, ...changes, ...back)).toEqual([]);
});

test('a notice has all that changed, with its new values', () => {
  const two = { departure: { gate: 'C3', terminal: '2' } };
  expect(judge(...made, ...first, change(20, two), told(21, gate('C3')), ...quiet(22))).toEqual([
    'FLA-CB-009',
  ]);
  expect(judge(...made, ...first, change(20, gate('C3')), told(21, gate('B2 ')), ...quiet(22))).toEqual([
    'FLA-CB-008',
  ]);
});

test('a failed notice that comes again tells all of it', () => {
  const two = { departure: { gate: 'C3', terminal: '2' } };
  const again = [told(21, two, '503'), told(30, gate('C3'))];
  expect(judge(...made, ...first, change(20, two), ...again, ...quiet(40))).toEqual(['FLA-CB-009']);
});

test('alternate routes that are cleared again may be told as the same empty list', () => {
  const { flightNumber, departureDate } = flight;
  const shown = (at: number, alternateInfo: object | null) =>
    exchange({
      ...{ operation: 'fla.lookup', at: at * 1000, body: [{ ...leg, alternateInfo }] },
      query: new URLSearchParams({ flightNumber, departureDate } as Record<string, string>).toString(),
    });
  const some = [{ status: 'diversion' }];
  const turn = (at: number) => [
    ...[change(at, { alternateInfo: some }), told(at + 1, { alternateInfo: some }), shown(at + 1, some)],
    ...[...quiet(at + 2), change(at + 5, { alternateInfo: null }), told(at + 6, { alternateInfo: [] })],
    ...[shown(at + 6, null), ...quiet(at + 7)],
  ];
  expect(judge(...made, ...first, ...turn(20), ...turn(30))).toEqual([]);
});

test('what is notified with its value is kept', () => {
  const kept = judged('holds', ...made, ...first, change(20, gate('C3')), told(21, gate('C3')), ...quiet(22));
  expect(kept).toEqual(expect.arrayContaining(['FLA-CB-001', 'FLA-CB-008', 'FLA-CB-009']));
  expect(judged('holds', ...made, change(20, gate('C3')), ...quiet(22))).toEqual([]);
});

test('after a redirect answer the next notice comes to the registered address', () => {
  const moved = [change(10, gate('B2')), told(11, gate('B2'), '302'), ...quiet(12)];
  const next = [change(20, gate('C3')), told(21, gate('C3')), ...quiet(22)];
  expect(judged('holds', ...made, ...moved, ...next)).toContain('FLA-CB-016');
});

test('after 410 later changes are notified', () => {
  const gone = [...first, change(20, gate('C3')), told(21, gate('C3'), '410'), ...quiet(22)];
  const later = change(30, gate('D4'));
  expect(judge(...made, ...gone, later, ...quiet(32))).toEqual(['FLA-CB-080']);
  // One that comes before its step has ended is not after itself.
  const early = [...first, told(20.05, gate('C3'), '410'), change(20, gate('C3')), ...quiet(22)];
  expect(judge(...made, ...early, later, ...quiet(32))).toEqual(['FLA-CB-080']);
  expect(judged('holds', ...made, ...gone, later, told(31, gate('D4')), ...quiet(32))).toContain(
    'FLA-CB-080',
  );
});

test('what comes in place of a notice that failed tells something', () => {
  const failed = [...first, change(20, gate('C3')), told(21, gate('C3'), '500')];
  expect(judge(...made, ...failed, told(23, {}), ...quiet(24))).toEqual(['FLA-CB-020']);
  const nothing = [change(5, gate('A1')), told(6, {}), ...quiet(7)];
  expect(judge(...made, ...nothing, ...failed, told(23, {}), ...quiet(24))).not.toContain('FLA-CB-020');
});
