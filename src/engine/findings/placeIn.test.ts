import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { absent, value } from '../../spec/kernel/value.ts';
import { placeIn } from './decisive.ts';

const data = [
  { checkin_id: 'a', pnr: 'AAA111', origin: 'DXB' },
  { checkin_id: 'b', pnr: 'BBB222', origin: 'DXB' },
];
const pagination = { page: 0, limit: 25, total: 2, totalPages: 1 };
const list = exchange({ operation: 'wci.list', body: { success: true, data, pagination } });
const legs = exchange({ operation: 'fla.lookup', body: [{ departure: { gate: 'A1' } }] });
const snapshot = exchange({
  operation: 'fla.subscribe',
  body: { success: true, latest_status_snapshot: { departure: {} } },
});
const status = exchange({ operation: 'wci.status', body: { success: true, ...data[0] } });

test.each([
  ['an item of a list', list, 'pnr', value('BBB222'), 'data[1].pnr'],
  ['a leg', legs, 'departure.gate', value('A1'), '[0].departure.gate'],
  ['what a leg lacks', legs, 'departure.terminal', absent, '[0].departure.terminal'],
  ['the body itself', status, 'pnr', value('AAA111'), 'pnr'],
  ['one of several that have it in common', list, 'origin', value('DXB'), 'origin'],
  ['a place that is one already', list, 'data[0].pnr', value('BBB222'), 'data[0].pnr'],
  [
    'what a place lacks',
    snapshot,
    'latest_status_snapshot.departure.gate',
    absent,
    'latest_status_snapshot.departure.gate',
  ],
  ['a callback that did not come', snapshot, 'callback', absent, 'callback'],
  ['the answer as a whole', list, 'answer', value('AAA111'), 'answer'],
])('the place of %s', (_, decisive, at, got, place) => {
  expect(placeIn(decisive, { at, got })).toBe(place);
});
