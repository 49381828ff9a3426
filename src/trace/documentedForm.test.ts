import { expect, test } from 'vitest';
import type { OperationId } from '../core/operations.ts';
import { documentedForm, documentedTypes } from './documentedForm.ts';
import type { Json } from './json.ts';

const record = { checkin_id: 'c1', status: 'SCHEDULED' };
const other = { checkin_id: 'c2', status: 'FAILED' };
const pagination = { page: 0, limit: 25, total: 2, totalPages: 1 };
const leg = { departure: { airportIata: 'DOH' }, arrival: { airportIata: 'SIN' }, alternateInfo: [{}] };
const next = { ...leg, departure: { airportIata: 'SIN' } };
const key = 'cb_1';

test.each<[what: string, operation: OperationId, body: Json, read: Json]>([
  ['a record in a member', 'wci.status', { success: true, data: record }, { success: true, ...record }],
  ['a record two levels deep', 'wci.subscribe', { data: { checkin: record } }, record],
  ['a record in an array', 'wci.status', [record], record],
  ['an updated record at the top', 'wci.update', { type: 'pnr', ...record }, { type: 'pnr', data: record }],
  ['an updated record of another name', 'wci.update', { record }, { data: record }],
  [
    'a page in a member',
    'wci.list',
    { data: { data: [record], pagination } },
    { data: [record], pagination },
  ],
  ['items and numbers of other names', 'wci.list', { items: [], meta: pagination }, { data: [], pagination }],
  ['numbers at the top', 'wci.list', { data: [record], ...pagination }, { data: [record], pagination }],
  ['legs in a member', 'fla.lookup', { success: true, data: [leg, next] }, [leg, next]],
  ['no legs in a member', 'fla.lookup', { legs: [] }, []],
  ['one leg without an array', 'fla.lookup', leg, [leg]],
  ['one leg in a member', 'fla.lookup', { data: leg }, [leg]],
  [
    'a subscription in a member',
    'fla.subscribe',
    { data: { callbackApiKey: key, latest_status_snapshot: leg } },
    { callbackApiKey: key, latest_status_snapshot: leg },
  ],
  ['a leg of another name', 'fla.subscribe', { snapshot: leg }, { latest_status_snapshot: leg }],
])('reads %s', (_, operation, body, read) => {
  expect(documentedForm(operation, body)).toMatchObject(read as object);
});

test.each<[what: string, operation: OperationId, body: Json]>([
  ['two records', 'wci.status', { before: record, after: other }],
  ['a record too deep', 'wci.status', { a: { b: { c: record } } }],
  ['two lists', 'wci.list', { mine: [record], others: [other] }],
  ['two legs', 'fla.subscribe', { first: leg, second: next }],
  ['a rejection', 'wci.subscribe', { success: false, message: 'REJECTED', reason: 'too close' }],
  ['no object', 'wci.list', 'none'],
])('leaves %s alone', (_, operation, body) => {
  expect(documentedForm(operation, body)).toEqual(body);
});

test.each<[what: string, shown: Record<string, Json>, read: Record<string, Json>]>([
  ['nothing missing', { missing_info: null }, { missing_info: [] }],
  ['an empty text', { missing_info: '' }, { missing_info: [] }],
  ['an empty object', { missing_info: {} }, { missing_info: [] }],
  ['one item', { missing_info: 'passport' }, { missing_info: ['passport'] }],
  ['an object', { missing_info: { passport: true } }, { missing_info: [{ passport: true }] }],
  ['one pass', { boarding_passes: 'https://a.example/1' }, { boarding_passes: ['https://a.example/1'] }],
  ['a number as id', { checkin_id: 12 }, { checkin_id: '12' }],
])('means %s by another type, in every answer', (_, shown, read) => {
  const [own, typed] = [
    { ...record, ...shown },
    { ...record, ...read },
  ];
  for (const operation of ['wci.subscribe', 'wci.status'] as const)
    expect(documentedTypes(operation, own)).toEqual(typed);
  expect(documentedTypes('wci.update', { data: own })).toEqual({ data: typed });
  expect(documentedTypes('wci.list', { data: [other, own] })).toEqual({ data: [other, typed] });
});

test('leaves an answer of the documented types as it is', () => {
  const list = { data: [{ ...record, missing_info: [], boarding_passes: null }], pagination };
  expect(documentedTypes('wci.list', list)).toBe(list);
});
