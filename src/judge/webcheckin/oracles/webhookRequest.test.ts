import { samplesOf } from '../../kernel/oracle.ts';
import { describe, expect, test } from 'vitest';
import {
  delivery,
  judgeDeliveries,
  testToken,
  webhookEvent,
  webhookSubscribe,
  type DeliverySketch,
} from '../../../../test/support/judge/deliveries.ts';
import { exchange } from '../../../../test/support/judge/exchanges.ts';
import { wordsOf } from '../../../spec/wording/words.ts';
import { webhookRequest } from './webhookRequest.ts';

const other = 'tokenOfAnotherMailbox1';
const auth = ['x-api-key', 'Value Of A'] as const;

const judged = (...seen: Parameters<typeof judgeDeliveries>[1][]) => judgeDeliveries(webhookRequest, ...seen);
/** The rules that are broken, with the code of each. */
const broken = (...seen: Parameters<typeof judged>) =>
  Object.fromEntries(Object.entries(judged(...seen)).filter(([, one]) => one !== 'holds'));

describe('a delivery', () => {
  test('as it ought to be keeps to every rule of the oracle', () => {
    const foreign = webhookSubscribe({ token: other, checkinId: 'wci_foreign', enterprise: 'other' });
    const said = judged(foreign, webhookSubscribe(), delivery());
    expect(new Set(Object.values(said))).toEqual(new Set(['holds']));
    const ofOthers = ['WCI-CB-014', 'WCI-CB-016', 'WCI-CB-081'];
    expect(Object.keys(said).sort()).toEqual(
      webhookRequest.verifies.filter((row) => !ofOthers.includes(row)).toSorted(),
    );
  });

  test('says nothing of other enterprises where none has an address of its own', () => {
    expect(judged(webhookSubscribe(), delivery())).not.toHaveProperty('WCI-CB-022');
    const shared = webhookSubscribe({ checkinId: 'wci_foreign', enterprise: 'other' });
    expect(judged(shared, webhookSubscribe(), delivery())).not.toHaveProperty('WCI-CB-022');
  });

  test('that comes before the answer of its subscribe is judged with that', () => {
    expect(judged(delivery(), webhookSubscribe())).toEqual(judged(webhookSubscribe(), delivery()));
  });

  test('to an address that no check-in request registered says nothing', () => {
    expect(judged(webhookSubscribe(), delivery({ token: other, method: 'PUT' }))).toEqual({});
  });
});

describe('the form of a delivery', () => {
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
      sketch: { headers: [auth, ['X-Event-Type', 'webcheckin.completed']] },
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
      expect(broken(webhookSubscribe(), delivery(sketch))).toEqual(said);
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
        headers: [auth, ['X-Event-Id', '6.1'], ['traceparent', '00-ab.cd']],
      },
    },
  ] satisfies readonly { name: string; sketch: DeliverySketch }[])('$name breaks nothing', ({ sketch }) => {
    expect(broken(webhookSubscribe(), delivery(sketch))).toEqual({});
  });

  test('is judged by nothing that was not read to its end', () => {
    expect(broken(webhookSubscribe(), delivery({ raw: '', truncated: true }))).toEqual({});
  });
});

describe('the header of a delivery', () => {
  const judgedBy = (header: string, headers: DeliverySketch['headers'], body?: unknown) =>
    broken(
      webhookSubscribe({ token: other, header: 'X-API-Key: value of another' }),
      webhookSubscribe({ header }),
      delivery({ ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) }),
    );

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
    expect(judgedBy(header, headers)).toEqual({});
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
    expect(judgedBy(header, headers)).toEqual(said);
  });

  test('a member of the body that says signature is one', () => {
    const said = judgedBy('X-API-Key: abc', [['x-api-key', 'abc']], webhookEvent(undefined, { hmac: 'ff' }));
    expect(said).toEqual({ 'WCI-CB-008': 'body' });
  });

  test('a finding tells which mark was added to a value, and where', () => {
    const watch = webhookRequest.createWatch();
    samplesOf(watch, webhookSubscribe({ header: 'X-API-Key: {"50 %":"b"}' }));
    const headers = [['x-api-key', '{\\"50 %\\":\\"b\\"}']] as const;
    const said = samplesOf(watch, delivery({ headers }));
    const found = said.find(({ requirement }) => requirement === 'WCI-CB-006')?.judgement;
    expect(found?.status === 'violated' ? wordsOf(found).actual : '').toBe(
      'the same value with 4 characters more: "\\\\" before each of 4 "\\""',
    );
  });

  test('a finding tells how a value was altered, and not the value', () => {
    const watch = webhookRequest.createWatch();
    samplesOf(watch, webhookSubscribe({ header: 'X-API-Key: Secret-Value-1' }));
    const alterations = [
      'Bearer Secret-Value-1',
      '"Secret-Value-1"',
      'secret-value-1',
      'Secret',
      'something else',
      'Secret--Value--1',
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
      'the same value with 2 characters more: "-"',
    ]);
  });
});

describe('the recipient of a delivery', () => {
  const first = webhookSubscribe();
  const second = webhookSubscribe({ token: other, checkinId: 'wci_second_of_all' });

  test.each([
    `/${testToken}/hook`,
    `/${testToken}/hook?x=2`,
    `/${testToken}/hook/?x=1`,
    `/${testToken}/Hook?x=1`,
    `/${testToken}?x=1`,
  ])('%s is not the address that was registered', (target) => {
    expect(judged(first, delivery({ target }))).toMatchObject({ 'WCI-CB-004': 'address' });
  });

  test('a record that a repeated subscribe makes anew may be told before the answer that names it', () => {
    const body = webhookEvent(undefined, { checkin_id: 'wci_made_anew' });
    const anew = webhookSubscribe({ checkinId: 'wci_made_anew' });
    expect(judged(first, delivery({ body }), anew)).toMatchObject({ 'WCI-CB-004': 'holds' });
    expect(broken(first, delivery({ body }))).toEqual({ 'WCI-CB-004': 'unknown' });
  });

  test('what stands before the token is the matter of a proxy', () => {
    const target = `/tunnel/${testToken}/hook?x=1`;
    expect(judged(first, delivery({ target }))).toMatchObject({ 'WCI-CB-004': 'holds' });
  });

  test.each([
    {
      name: 'of another request of the enterprise',
      seen: [first, second],
      id: 'wci_second_of_all',
      said: { 'WCI-CB-004': 'record' },
    },
    {
      name: 'of a request of another enterprise',
      seen: [first, webhookSubscribe({ token: other, checkinId: 'wci_foreign', enterprise: 'other' })],
      id: 'wci_foreign',
      said: { 'WCI-CB-022': 'enterprise' },
    },
    {
      name: 'of a request without callbackData',
      seen: [first, webhookSubscribe({ token: null, checkinId: 'wci_unasked' })],
      id: 'wci_unasked',
      said: { 'WCI-CB-014': 'unasked' },
    },
    { name: 'of nothing that is known', seen: [first], id: '4711', said: { 'WCI-CB-004': 'unknown' } },
  ])('a callback $name is at the wrong address', ({ seen, id, said }) => {
    const stray = delivery({ body: webhookEvent(undefined, { checkin_id: id }) });
    expect(broken(...seen, stray)).toEqual(said);
  });

  test('a subscribe without an answer may have made the record', () => {
    const stray = delivery({ body: webhookEvent(undefined, { checkin_id: 'wci_of_the_lost' }) });
    const lost = webhookSubscribe({ token: other, lost: true });
    expect(judged(first, lost, stray)).not.toHaveProperty('WCI-CB-004');
  });

  test('an address that a repeated subscribe named is one of the record as well', () => {
    const again = webhookSubscribe({ token: other });
    expect(judged(first, again, delivery({ token: other }))).toMatchObject({ 'WCI-CB-004': 'holds' });
    expect(judged(first, again, delivery())).toMatchObject({ 'WCI-CB-004': 'holds' });
  });

  test('a refused subscribe registers nothing', () => {
    expect(judged(webhookSubscribe({ status: 422 }), delivery())).toEqual({});
  });

  test('callbackData of a multipart body is read', () => {
    const callbackData = {
      callbackUrl: `https://sink.example.com/${testToken}`,
      auth_header: 'X-API-Key: a',
    };
    const sentRaw = [
      '--b\r\nContent-Disposition: form-data; name="pnr"\r\n\r\nABC123',
      '--b\r\nContent-Disposition: form-data; name="callbackData"\r\nContent-Type: text/plain\r\n\r\n',
    ].join('\r\n');
    const subscribed = exchange({
      operation: 'wci.subscribe',
      sentRaw: `${sentRaw}${JSON.stringify(callbackData)}\r\n--b--\r\n`,
      body: { success: true, message: 'SCHEDULED', checkin_id: 'wci_first_of_all' },
    });
    expect(judged(subscribed, delivery({ target: `/${testToken}` }))).toMatchObject({
      'WCI-CB-004': 'holds',
    });
  });
});
