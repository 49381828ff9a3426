import { describe, expect, test } from 'vitest';
import { statusBody, subscribed, updateBody, without } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const subscribe = { operation: 'wci.subscribe' } as const;
const status = { operation: 'wci.status', query: 'checkin_id=chk-1234567890' } as const;

describe('conforming successes', () => {
  const rejected = { success: false, message: 'REJECTED', reason: 'The departure is too close.' };
  const cases: readonly [string, ExchangeSketch][] = [
    ['a subscribe', { ...subscribe, body: subscribed() }],
    ['a subscribe without quota', { ...subscribe, body: without(subscribed(), 'quota') }],
    [
      'a subscribe with an undocumented checkin_message',
      { ...subscribe, body: subscribed({ checkin_message: 'Fine.' }) },
    ],
    ['a subscribe with a reason all the same', { ...subscribe, body: subscribed({ reason: null }) }],
    ['a repeated subscribe', { ...subscribe, body: subscribed({ message: 'ALREADY_SUBSCRIBED' }) }],
    [
      'a repeated subscribe of a completed record',
      {
        ...subscribe,
        body: subscribed({
          message: 'ALREADY_SUBSCRIBED',
          status: 'COMPLETED',
          sub_status: 'BOARDING_PASS_AVAILABLE',
        }),
      },
    ],
    [
      'a subscribe whose automation starts at once',
      { ...subscribe, body: subscribed({ status: 'IN_PROGRESS', sub_status: 'RUNNING' }) },
    ],
    ['a rejection with success false and no record', { ...subscribe, body: rejected }],
    ['a rejection with success true', { ...subscribe, body: { ...rejected, success: true } }],
    [
      'a rejection with nulls for the record',
      {
        ...subscribe,
        body: { ...rejected, checkin_id: null, booking_id: null, status: null, missing_info: null },
      },
    ],
    [
      'a rejection kept as a failed record',
      { ...subscribe, body: { ...subscribed(), ...rejected, status: 'FAILED', sub_status: 'REJECTED' } },
    ],
    [
      'application/json without charset',
      { ...status, body: statusBody(), headers: [['content-type', 'application/json']] },
    ],
    [
      'another spelling of the type',
      { ...status, body: statusBody(), headers: [['CONTENT-TYPE', 'Application/JSON;charset=UTF-8']] },
    ],
    ['an update', { operation: 'wci.update', body: updateBody() }],
  ];

  test.each(cases)('%s', (_, sketch) => {
    expect(judgeLast(exchange(sketch)).violated).toEqual([]);
  });
});

describe('broken successes', () => {
  const cases: readonly [string, ExchangeSketch, readonly string[]][] = [
    ['a page', { ...status, raw: '<html>' }, ['SHR-ERR-028']],
    ['nothing', { ...status, raw: '' }, ['SHR-ERR-028']],
    ['an array', { ...status, body: [statusBody()] }, ['SHR-ERR-028']],
    ['no success', { ...status, body: without(statusBody(), 'success') }, ['SHR-ERR-028']],
    ['success as a number', { ...status, body: statusBody({ success: 1 }) }, ['SHR-ERR-028']],
    [
      'text/html',
      { ...status, body: statusBody(), headers: [['Content-Type', 'text/html']] },
      ['SHR-ERR-028'],
    ],
    [
      'no content type',
      { ...status, body: statusBody(), headers: [['Content-Type', null]] },
      ['SHR-ERR-028'],
    ],
    ['success false', { ...status, body: statusBody({ success: false }) }, ['SHR-ERR-029']],
    [
      'success false on a new subscribe',
      { ...subscribe, body: subscribed({ success: false }) },
      ['SHR-ERR-029'],
    ],
    [
      'success false on a repeated subscribe',
      { ...subscribe, body: subscribed({ success: false, message: 'ALREADY_SUBSCRIBED' }) },
      ['SHR-ERR-034'],
    ],
    ['no checkin_id', { ...subscribe, body: without(subscribed(), 'checkin_id') }, ['WCI-SUB-006']],
    ['an empty checkin_id', { ...subscribe, body: subscribed({ checkin_id: '' }) }, ['WCI-SUB-006']],
    [
      'a numeric checkin_id',
      { ...subscribe, body: subscribed({ checkin_id: 17 }) },
      ['WCI-STS-017', 'WCI-SUB-006'],
    ],
    [
      'a booking_id as a text',
      { ...subscribe, body: subscribed({ booking_id: '4711' }) },
      ['WCI-STS-017', 'WCI-SUB-007'],
    ],
    ['no booking_id', { ...subscribe, body: without(subscribed(), 'booking_id') }, ['WCI-SUB-007']],
    [
      'checkin_message instead of status_message',
      { ...subscribe, body: { ...without(subscribed(), 'status_message'), checkin_message: 'Fine.' } },
      ['WCI-SUB-008'],
    ],
    ['another message', { ...subscribe, body: subscribed({ message: 'CREATED' }) }, ['WCI-SUB-009']],
    ['no message', { ...subscribe, body: without(subscribed(), 'message') }, ['WCI-SUB-009']],
    [
      'a message in small letters',
      { ...subscribe, body: subscribed({ message: 'scheduled' }) },
      ['WCI-SUB-009'],
    ],
    [
      'a rejection without reason',
      { ...subscribe, body: { success: false, message: 'REJECTED' } },
      ['WCI-SUB-010'],
    ],
    [
      'a rejection with a null reason',
      { ...subscribe, body: { success: false, message: 'REJECTED', reason: null } },
      ['WCI-SUB-010'],
    ],
    [
      'quota without consumed_units',
      { ...subscribe, body: subscribed({ quota: { included_units: 5 } }) },
      ['WCI-SUB-011'],
    ],
    [
      'quota as texts',
      { ...subscribe, body: subscribed({ quota: { included_units: '5', consumed_units: '1' } }) },
      ['WCI-SUB-011'],
    ],
    ['quota as a number', { ...subscribe, body: subscribed({ quota: 5 }) }, ['WCI-SUB-011']],
  ];

  test.each(cases)('%s', (_, sketch, violated) => {
    expect(judgeLast(exchange(sketch)).violated).toEqual(violated);
  });
});

test('a read cannot reject a journey', () => {
  const body = statusBody({ message: 'REJECTED', success: false });
  expect(judgeLast(exchange({ ...status, body })).violated).toEqual(['SHR-ERR-029']);
});

describe('quota', () => {
  const body = (consumed_units: number, included_units: number, message = 'SCHEDULED') =>
    exchange({ ...subscribe, body: subscribed({ message, quota: { consumed_units, included_units } }) });

  test('may be used up to the last unit', () => {
    expect(judgeLast(body(10, 10)).holds).toContain('WCI-QTA-009');
  });

  test('is overrun by an acceptance beyond it', () => {
    expect(judgeLast(body(11, 10)).violated).toEqual(['WCI-QTA-009']);
  });

  test('may have been lowered before a repeated subscribe', () => {
    expect(judgeLast(body(11, 10, 'ALREADY_SUBSCRIBED')).violated).toEqual([]);
  });

  test('may be unlimited', () => {
    expect(judgeLast(body(11, -1)).violated).toEqual([]);
  });
});
