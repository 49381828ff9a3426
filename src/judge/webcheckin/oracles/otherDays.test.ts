import { expect, test } from 'vitest';
import { errorBody, subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../../test/support/judge/passenger.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { knownBookings } from './knownBookings.ts';

const json = [['content-type', 'application/json']] as const;
const leg = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
let sends = 0;

function subscribe(departure: string, status = 200, change: object = {}): Exchange {
  sends += 1;
  const flights = [{ ...leg, departure_datetime: departure, ...change }];
  const error = { 400: 'VALIDATION_ERROR', 422: 'REJECTED', 500: 'INTERNAL_ERROR' }[status] ?? '';
  return exchange({
    ...{ operation: 'wci.subscribe', at: sends * 1000, status, requestHeaders: json },
    sent: { pnr: `ABC${100 + sends}`, flights, passengers: [passenger] },
    body: status === 200 ? subscribed({ checkin_id: `chk-${sends}` }) : errorBody(error),
  });
}

function judge(...evidence: readonly Exchange[]): readonly string[] {
  const watch = knownBookings.createWatch();
  for (const one of evidence) watch.exchange?.(one);
  return [...new Set((watch.end?.() ?? []).map(({ requirement }) => requirement))];
}

/** A clock of so many days, and hours, after the start of the test. */
const ahead = (days: number, hours = 0) =>
  new Date(testStart + days * 86_400_000 + hours * 3_600_000).toISOString().slice(0, 19);

test('a day is malformed to nobody, if the same trip is accepted on a later one', () => {
  expect(judge(subscribe(ahead(20), 400), subscribe(ahead(21)))).toEqual(['WCI-DT-001']);
  expect(judge(subscribe(ahead(20), 400), subscribe(ahead(21), 200, { flight_number: '5' }))).toEqual([]);
  expect(judge(subscribe(ahead(20), 422), subscribe(ahead(21)))).toEqual([]);
});

test('a leap day is one like the days around it', () => {
  const [before, leapDay, after] = ['2028-02-28T10:30:00', '2028-02-29T10:30:00', '2028-03-01T10:30:00'];
  expect(judge(subscribe(leapDay, 400), subscribe(after))).toEqual(['WCI-DT-019']);
  expect(judge(subscribe(leapDay, 422), subscribe(after))).toEqual([]);
  expect(judge(subscribe(before), subscribe(leapDay, 422), subscribe(after))).toEqual(['WCI-DT-019']);
  expect(judge(subscribe(before), subscribe(leapDay, 400))).toEqual([]);
});

test('a trip weeks ahead is accepted as one of the next days is', () => {
  expect(judge(subscribe(ahead(9)), subscribe(ahead(40), 422))).toEqual(['WCI-JRN-020']);
  expect(judge(subscribe(ahead(9)), subscribe(ahead(70), 422))).toEqual([]);
  expect(judge(subscribe(ahead(9)), subscribe(ahead(40), 422), subscribe(ahead(41)))).toEqual([]);
});

test('a departure that is too close is no malformed one', () => {
  expect(judge(subscribe(ahead(9)), subscribe(ahead(0, 7), 400))).toEqual(['WCI-JRN-001']);
  expect(judge(subscribe(ahead(9)), subscribe(ahead(0, 7), 422))).toEqual([]);
});

test('no zone is an internal error, twice with another answer in between', () => {
  const odd = (status: number) => subscribe(ahead(20), status, { origin: 'DEL' });
  expect(judge(odd(500), subscribe(ahead(9)), odd(500))).toEqual(['WCI-DT-001']);
  expect(judge(odd(500), odd(500))).toEqual([]);
  expect(judge(odd(500), subscribe(ahead(9)), odd(200))).toEqual([]);
  expect(judge(subscribe(ahead(20), 500), subscribe(ahead(9)), subscribe(ahead(21), 500))).toEqual([]);
});

test('a rejected journey is told why', () => {
  const bare = { ...errorBody('REJECTED'), message: 'Rejected.' };
  const rejection = subscribe(ahead(20), 422);
  const outcome = exchange({ operation: 'wci.subscribe', status: 422, body: bare }).outcome;
  expect(judge({ ...rejection, outcome })).toEqual(['WCI-JRN-013']);
  expect(judge(rejection)).toEqual([]);
});
