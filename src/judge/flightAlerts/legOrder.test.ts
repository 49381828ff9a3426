import { expect, test } from 'vitest';
import type { Route } from './flightAnswer.ts';
import { legOrders, orderedAlike, orderedBy } from './legOrder.ts';

const routes = (text: string) => text.split(' ').map((route) => route.split('-') as unknown as Route);

test.each([
  ['by departure', 'BKK-MUC DOH-ZRH ZRH-BKK', 'holds', ['departure-then-arrival']],
  ['by arrival', 'ZRH-BKK BKK-MUC DOH-ZRH', 'holds', ['arrival-then-departure']],
  ['by departure, descending', 'ZRH-BKK DOH-ZRH BKK-MUC', 'holds', ['departure-descending']],
  ['equal departures by arrival', 'BKK-DOH BKK-MUC DOH-AMS', 'holds', ['departure-then-arrival']],
  ['in the order of the journey', 'SIN-BKK BKK-MUC MUC-DOH DOH-ZRH', 'violated', []],
  ['equal departures, arrivals unsorted', 'BKK-MUC BKK-DOH DOH-ZRH', 'violated', []],
  ['two legs', 'ZRH-BKK BKK-MUC', 'unclear', ['departure-descending']],
])('%s', (_, text, status, variants) => {
  expect(orderedBy(routes(text)).status).toBe(status);
  if (status !== 'unclear') expect(legOrders(routes(text))).toEqual(variants);
});

test('a missing code has no place in the order', () => {
  expect(orderedBy([['', 'BKK'], ...routes('BKK-MUC DOH-ZRH')]).status).toBe('unclear');
});

test.each([
  ['both ascending', 'DOH-SIN SIN-SYD', 'DXB-BKK KWI-DXB', 'holds'],
  ['both descending', 'SIN-SYD DOH-SIN', 'KWI-DXB DXB-BKK', 'holds'],
  ['both as the journey', 'DOH-SIN SIN-SYD', 'KWI-DXB DXB-BKK', 'violated'],
  ['one leg', 'DOH-SIN', 'KWI-DXB DXB-BKK', 'unclear'],
])('two flights of two legs: %s', (_, one, other, status) => {
  expect(orderedAlike([routes(one), routes(other)]).status).toBe(status);
});
