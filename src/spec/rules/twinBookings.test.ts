import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { callOf } from '../../trace/call.ts';
import { TwinBookings } from './twinBookings.ts';

const sent = { pnr: 'QX7KLM', flights: [{ airline: 'LH' }], passengers: [{ first_name: 'Ada' }] };
const other = { enterprise: 'other', key: 'other#1', at: 1000 } as const;

function judge(isAlone: boolean, ...sketches: readonly Partial<ExchangeSketch>[]) {
  const twins = new TwinBookings(isAlone);
  const calls = [{ at: 1 }, ...sketches].map((sketch) => {
    const requestHeaders = [['content-type', 'application/json']] as const;
    const base = {
      operation: 'wci.subscribe',
      requestHeaders,
      sent,
      body: subscribed({ checkin_id: 'chk-1' }),
    };
    return callOf(exchange({ ...base, ...sketch } as ExchangeSketch));
  });
  return calls.flatMap((call) => (call ? twins.judge(call) : [])).map(([rule, wrong]) => [rule, wrong?.code]);
}

const own = subscribed({ checkin_id: 'chk-2' });
const known = subscribed({ checkin_id: 'chk-2', message: 'ALREADY_SUBSCRIBED' });

test('the booking of another enterprise is another attempt, and new', () => {
  expect(judge(true, { ...other, body: own })).toEqual([
    ['WCI-SCP-007', undefined],
    ['WCI-SCP-008', undefined],
  ]);
});

test('it is not known already, unless the enterprise may have sent it before, or is not alone', () => {
  expect(judge(true, { ...other, body: known })).toContainEqual(['WCI-SCP-008', 'leak']);
  const lost = { ...other, at: 500, status: 500, body: {} };
  expect(judge(true, lost, { ...other, body: known })).toEqual([['WCI-SCP-007', undefined]]);
  expect(judge(false, { ...other, body: known })).toEqual([['WCI-SCP-007', undefined]]);
});

test('another booking, or one of the same enterprise, says nothing', () => {
  expect(judge(true, { ...other, sent: { ...sent, flights: [] }, body: own })).toEqual([]);
  expect(judge(true, { at: 1000, body: own })).toEqual([]);
});
