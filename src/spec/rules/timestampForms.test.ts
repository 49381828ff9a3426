import { expect, test } from 'vitest';
import type { JsonObject } from '../../trace/body.ts';
import { item, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const judge = (more: JsonObject) =>
  judgeLast(exchange({ operation: 'wci.list', body: listBody([item(more)]) }));

test.each([
  ['2026-03-20T08:00:00', '2026-03-19T08:00:00.000Z'],
  ['2026-03-20 08:00', '2026-03-20T20:00:00.000Z'],
  [' 2026-03-20T08:00:00.000Z ', '2026-03-20T20:00:00.000Z'],
  ['2026-03-20T08:00:00+03:00', '2026-03-20T08:00:00.000Z'],
  ['2026-03-20', '2026-03-21T11:00:00.000Z'],
  ['Friday morning', '2027-01-01T00:00:00.000Z'],
])('departure %j allows for a check-in at %s', (departure_datetime, scheduled_time) => {
  expect(judge({ departure_datetime, scheduled_time }).violated).toEqual([]);
});

test.each([
  ['2026-03-20T08:00:00', '2026-03-20T20:01:00.000Z'],
  ['2026-03-20', '2026-03-21T12:00:00.000Z'],
])('departure %j is over everywhere at %s', (departure_datetime, scheduled_time) => {
  expect(judge({ departure_datetime, scheduled_time }).violated).toEqual(['WCI-LST-026']);
});

test('scheduled_time may be null, and has the form of a timestamp otherwise', () => {
  expect(judge({ scheduled_time: null }).violated).toEqual([]);
  expect(judge({ scheduled_time: '2026-03-19T05:00:00Z' }).violated).toEqual(['WCI-DT-026']);
  expect(judge({ scheduled_time: '' }).violated).toEqual(['WCI-DT-026']);
  expect(judge({ scheduled_time: 5 }).violated).toEqual(['WCI-DT-026']);
  expect(judge({ created_at: null }).violated).toEqual(['WCI-DT-026']);
});

test('scheduled_time may have passed when the record is made, and is no zero', () => {
  const made = {
    created_at: '2026-03-19T08:00:00.000Z',
    last_updated: '2026-03-19T08:00:00.000Z',
    departure_datetime: '2026-03-20T08:00:00',
  };
  for (const scheduled_time of [null, '2026-03-17T08:00:00.000Z', '2026-03-19T08:00:01.000Z'])
    expect(judge({ ...made, scheduled_time }).violated).toEqual([]);
  for (const scheduled_time of ['0001-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'])
    expect(judge({ ...made, scheduled_time }).violated).toEqual(['WCI-LST-030']);
});
