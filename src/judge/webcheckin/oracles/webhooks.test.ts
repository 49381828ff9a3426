import { samplesOf } from '../../kernel/oracle.ts';
import { describe, expect, test } from 'vitest';
import {
  delivery,
  judgeDeliveries,
  webhookEvent,
  webhookSubscribe,
  type DeliverySketch,
} from '../../../../test/support/judge/deliveries.ts';
import { webhookAuthorization } from './webhookAuthorization.ts';
import { webhookRecipient } from './webhookRecipient.ts';
import { wordsOf } from '../../../spec/wording/words.ts';
import { webhookRequest } from './webhookRequest.ts';

const all = [webhookRequest, webhookAuthorization, webhookRecipient];
const other = 'tokenOfAnotherMailbox1';

describe.each(all)('$id', (oracle) => {
  test('a delivery as it ought to be keeps to every rule of it', () => {
    const said = judgeDeliveries(oracle, webhookSubscribe(), delivery());
    expect(Object.values(said).every((one) => one === 'holds')).toBe(true);
    expect(Object.keys(said).every((row) => oracle.verifies.includes(row))).toBe(true);
    expect(Object.keys(said).length).toBeGreaterThan(0);
  });

  test('a delivery that comes before the answer of its subscribe is judged with that', () => {
    const early = judgeDeliveries(oracle, delivery(), webhookSubscribe());
    expect(early).toEqual(judgeDeliveries(oracle, webhookSubscribe(), delivery()));
  });

  test('nothing is said of a delivery to an address that no check-in request registered', () => {
    expect(judgeDeliveries(oracle, webhookSubscribe(), delivery({ token: other, method: 'PUT' }))).toEqual(
      {},
    );
  });
});

describe('webhookRequest', () => {
  const judged = (sketch: DeliverySketch) =>
    judgeDeliveries(webhookRequest, webhookSubscribe(), delivery(sketch));

  test.each([
    { name: 'a PUT', sketch: { method: 'PUT' }, said: { 'WCI-CB-002': 'method' } },
    { name: 'form data', sketch: { raw: 'status=COMPLETED' }, said: { 'WCI-CB-003': 'json' } },
    { name: 'no body', sketch: { raw: '' }, said: { 'WCI-CB-003': 'json' } },
    { name: 'an array', sketch: { body: [webhookEvent()] }, said: { 'WCI-CB-003': 'object' } },
    {
      name: 'no occurredAt',
      sketch: { body: webhookEvent(undefined, { occurredAt: undefined }) },
      said: { 'WCI-CB-009': 'occurredAt' },
    },
    {
      name: 'a numeric checkin_id',
      sketch: { body: webhookEvent(undefined, { checkin_id: 7 }) },
      said: { 'WCI-CB-009': 'checkin_id' },
    },
    {
      name: 'a list of changes',
      sketch: { body: webhookEvent(['status']) },
      said: { 'WCI-CB-009': 'changes' },
    },
    { name: 'no changes', sketch: { body: webhookEvent({}) }, said: { 'WCI-CB-010': 'empty' } },
    {
      name: 'unknown changes',
      sketch: { body: webhookEvent({ gate: 'A1' }) },
      said: { 'WCI-CB-010': 'empty' },
    },
    {
      name: 'a pass as text',
      sketch: { body: webhookEvent({ boarding_passes: 'https://a.example.com/1' }) },
      said: { 'WCI-CB-010': 'boarding_passes' },
    },
    {
      name: 'a status in another spelling',
      sketch: { body: webhookEvent({ status: 'Failed' }) },
      said: { 'WCI-SUB-022': 'status' },
    },
    {
      name: 'missing_info as null',
      sketch: { body: webhookEvent({ missing_info: null }) },
      said: { 'WCI-CB-010': 'missing_info' },
    },
    {
      name: 'seconds',
      sketch: { body: webhookEvent(undefined, { occurredAt: '2026-03-01T12:00:00Z' }) },
      said: { 'WCI-DT-027': 'form' },
    },
    {
      name: 'an offset',
      sketch: { body: webhookEvent(undefined, { occurredAt: '2026-03-01T12:00:00.000+00:00' }) },
      said: { 'WCI-DT-027': 'form' },
    },
    {
      name: 'another event in the body',
      sketch: { body: webhookEvent(undefined, { event: 'checkin.changed' }) },
      said: { 'WCI-CB-025': 'event' },
    },
    {
      name: 'another event in a header',
      sketch: { headers: [['X-Event-Type', 'webcheckin.completed']] },
      said: { 'WCI-CB-025': 'event' },
    },
    {
      name: 'an event of a flight',
      sketch: { body: { fid: '7', changes: { status: 'LANDED' } } },
      said: { 'WCI-CB-009': 'occurredAt', 'WCI-CB-025': 'flight' },
    },
  ] satisfies readonly { name: string; sketch: DeliverySketch; said: Record<string, string> }[])(
    '$name breaks its own rule and no other',
    ({ sketch, said }) => {
      const broken = Object.entries(judged(sketch)).filter(([, one]) => one !== 'holds');
      expect(Object.fromEntries(broken)).toEqual(said);
    },
  );

  test.each([
    { name: 'a missing content type', sketch: {} },
    { name: 'a further member', sketch: { body: webhookEvent(undefined, { version: 2, event: 'status' }) } },
    {
      name: 'the name of the event',
      sketch: { body: webhookEvent(undefined, { event: 'webcheckin.update' }) },
    },
    {
      name: 'the name of the event in a longer one',
      sketch: { body: webhookEvent(undefined, { type: 'com.example.webcheckin.update.v1' }) },
    },
    { name: 'a further change', sketch: { body: webhookEvent({ status: 'FAILED', gate: 'A1' }) } },
    {
      name: 'passes that are not there',
      sketch: { body: webhookEvent({ status: 'FAILED', boarding_passes: null }) },
    },
    {
      name: 'a trace',
      sketch: {
        headers: [
          ['X-Event-Id', '6.1'],
          ['traceparent', '00-ab.cd'],
        ],
      },
    },
  ] satisfies readonly { name: string; sketch: DeliverySketch }[])('$name breaks nothing', ({ sketch }) => {
    expect(new Set(Object.values(judged(sketch)))).toEqual(new Set(['holds']));
  });

  test('of a body that was not read to its end only the method is judged', () => {
    expect(judged({ raw: '', truncated: true })).toEqual({ 'WCI-CB-002': 'holds' });
  });
});

describe('webhookAuthorization', () => {
  const judged = (header: string, headers: DeliverySketch['headers'], body?: unknown) =>
    judgeDeliveries(
      webhookAuthorization,
      webhookSubscribe({ token: other, header: 'X-API-Key: value of another' }),
      webhookSubscribe({ header }),
      delivery({ ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) }),
    );
  const broken = (said: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(said).filter(([, one]) => one !== 'holds'));

  test.each([
    ['X-API-Key: Value Of A', [['X-Api-Key', 'Value Of A']]],
    ['x-api-key:Value  Of A ', [['x-api-key', ' Value  Of A']]],
    ['Authorization: Bearer "a", b="1"', [['authorization', 'Bearer "a", b="1"']]],
    ['X-API-Key: é§', [['x-api-key', 'é§']]],
    ['X-API-Key: é§', [['x-api-key', Buffer.from('é§').toString('latin1')]]],
    [
      'X-API-Key: a',
      [
        ['x-api-key', 'a'],
        ['X-Trace', '1'],
        ['User-Agent', 'queue'],
      ],
    ],
  ] as const)('%s is kept by %j', (header, headers) => {
    expect(broken(judged(header, headers))).toEqual({});
  });

  test.each([
    ['X-API-Key: abc', [], { 'WCI-CB-005': 'absent' }],
    ['Authorization: abc', [['X-API-Key', 'abc']], { 'WCI-CB-005': 'absent', 'WCI-CB-007': 'both' }],
    ['X-API-Key: abc', [['X-API-Key', 'value of another']], { 'WCI-CB-005': 'foreign' }],
    ['Authorization: abc', [['authorization', 'Bearer abc']], { 'WCI-CB-006': 'altered' }],
    ['X-API-Key: a  b', [['x-api-key', 'a b']], { 'WCI-CB-006': 'altered' }],
    ['X-API-Key: é', [['x-api-key', '%C3%A9']], { 'WCI-CB-006': 'altered' }],
    [
      'X-API-Key: abc',
      [
        ['x-api-key', 'abc'],
        ['Authorization', 'abc'],
      ],
      { 'WCI-CB-007': 'both' },
    ],
    [
      'X-API-Key: abc',
      [
        ['x-api-key', 'abc'],
        ['X-Hub-Signature-256', 'ff'],
      ],
      { 'WCI-CB-008': 'header' },
    ],
  ] as const)('%s is broken by %j', (header, headers, said) => {
    expect(broken(judged(header, headers))).toEqual(said);
  });

  test('a member of the body that says signature is one', () => {
    const said = judged('X-API-Key: abc', [['x-api-key', 'abc']], webhookEvent(undefined, { hmac: 'ff' }));
    expect(broken(said)).toEqual({ 'WCI-CB-008': 'body' });
  });

  test('a finding tells how a value was altered, and not the value', () => {
    const watch = webhookAuthorization.createWatch();
    samplesOf(watch, webhookSubscribe({ header: 'X-API-Key: Secret-Value-1' }));
    const alterations = [
      'Bearer Secret-Value-1',
      '"Secret-Value-1"',
      'secret-value-1',
      'Secret',
      'something else',
    ].map((value) => {
      const said = samplesOf(watch, delivery({ headers: [['x-api-key', value]] }));
      const found = said.find(({ requirement }) => requirement === 'WCI-CB-006')?.judgement;
      return found?.status === 'violated' ? wordsOf(found).actual : '';
    });
    expect(alterations).toEqual([
      'the same value after "Bearer "',
      'the same value after "\\"" and before "\\""',
      'the same value in other letter case',
      'a part of it',
      'another value of the same length, 14 characters',
    ]);
  });
});
