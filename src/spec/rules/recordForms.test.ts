import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../trace/body.ts';
import {
  item,
  listBody,
  record,
  statusBody,
  subscribed,
  updateBody,
  without,
} from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const byStatus = (more: JsonObject) => exchange({ operation: 'wci.status', body: statusBody(more) });
const everywhere: readonly [string, (more: JsonObject) => ReturnType<typeof exchange>][] = [
  ['status', byStatus],
  ['update', (more) => exchange({ operation: 'wci.update', body: updateBody(more) })],
  [
    'list',
    (more) =>
      exchange({
        operation: 'wci.list',
        body: listBody([item(), item({ checkin_id: 'chk-2', ...more })], { total: 2 }),
      }),
  ],
];
const pass = 'https://passes.example.com/a/1.pdf?token=x';

describe('conforming records', () => {
  const cases: readonly [string, JsonObject][] = [
    ['complete', {}],
    ['incomplete with texts', { sub_status: 'MISSING_INFO', missing_info: ['passport'] }],
    [
      'incomplete with objects and a sub_status nobody knows',
      { sub_status: 'needs passport', missing_info: [{ passenger: 0, field: 'passport.number' }, 'email'] },
    ],
    ['in progress', { status: 'IN_PROGRESS', sub_status: 'RUNNING' }],
    ['in progress with something missing', { status: 'IN_PROGRESS', sub_status: '', missing_info: ['seat'] }],
    ['failed', { status: 'FAILED', sub_status: 'AIRLINE_ERROR', checkin_message: '' }],
    [
      'completed',
      {
        status: 'COMPLETED',
        sub_status: 'BOARDING_PASS_AVAILABLE',
        boarding_passes: [pass, 'HTTPS://x.example/2'],
      },
    ],
    [
      'completed in a way nobody knows',
      { status: 'COMPLETED', sub_status: 'CHECKED_IN_AT_COUNTER', boarding_passes: [] },
    ],
    ['before completion with null for passes', { boarding_passes: null }],
    ['with unknown members', { airline_reference: 7, created_at: '2026-03-01T12:00:00.000Z' }],
  ];

  test.each(
    cases.flatMap(([title, more]) => everywhere.map(([where, show]) => [title, where, show, more] as const)),
  )('%s in %s', (_, __, show, more) => {
    expect(judgeLast(show(more)).violated).toEqual([]);
  });

  test('boarding_passes may be absent before completion', () => {
    const body = { success: true, ...without(record(), 'boarding_passes') };
    expect(judgeLast(exchange({ operation: 'wci.status', body })).violated).toEqual([]);
  });
});

const lacking: JsonObject = { sub_status: 'MISSING_INFO' };

describe('violating records', () => {
  const cases: readonly [string, JsonObject, readonly string[]][] = [
    ['an unknown status', { status: 'PENDING' }, ['WCI-SUB-022']],
    ['a status in small letters', { status: 'scheduled' }, ['WCI-SUB-022']],
    ['a null status', { status: null }, ['WCI-SUB-022']],
    ['COMPLETE_INFO while in progress', { status: 'IN_PROGRESS' }, ['WCI-SUB-023']],
    ['COMPLETE_INFO with something missing', { missing_info: ['email'] }, ['WCI-RDY-017']],
    ['nothing missing and another sub_status', { sub_status: 'MISSING_INFO' }, ['WCI-RDY-019']],
    ['a null missing_info', { missing_info: null }, ['WCI-STS-016']],
    ['missing_info as a text', { missing_info: 'none' }, ['WCI-STS-016']],
    ['missing_info as an object', { missing_info: {} }, ['WCI-STS-016']],
    ['a null among what is missing', { ...lacking, missing_info: ['email', null] }, ['WCI-STS-018']],
    ['a blank among what is missing', { ...lacking, missing_info: [' '] }, ['WCI-STS-018']],
    ['an empty object among what is missing', { ...lacking, missing_info: [{}] }, ['WCI-STS-018']],
    ['passes as a text', { boarding_passes: pass }, ['WCI-SUB-062']],
    ['a pass over http', { boarding_passes: ['http://passes.example.com/1'] }, ['WCI-SUB-062']],
    ['a pass as an object', { boarding_passes: [{ url: pass }] }, ['WCI-SUB-062']],
    ['a relative pass', { boarding_passes: ['/passes/1'] }, ['WCI-SUB-062']],
    [
      'passes announced while scheduled',
      { sub_status: 'BOARDING_PASS_AVAILABLE', boarding_passes: [pass], missing_info: ['x'] },
      ['WCI-STS-012'],
    ],
    [
      'passes announced and none there',
      { status: 'COMPLETED', sub_status: 'BOARDING_PASS_AVAILABLE' },
      ['WCI-STS-015'],
    ],
    [
      'passes announced and null',
      { status: 'COMPLETED', sub_status: 'BOARDING_PASS_AVAILABLE', boarding_passes: null },
      ['WCI-STS-015'],
    ],
    ['a null checkin_message', { checkin_message: null }, ['WCI-STS-014']],
    ['a checkin_message object', { checkin_message: { en: 'Fine.' } }, ['WCI-STS-014']],
    ['a numeric checkin_id', { checkin_id: 12 }, ['WCI-STS-017']],
    ['a booking_id as a text', { booking_id: '4711' }, ['WCI-STS-017']],
    ['last_updated without milliseconds', { last_updated: '2026-03-01T12:00:00Z' }, ['WCI-DT-026']],
    ['last_updated with microseconds', { last_updated: '2026-03-01T12:00:00.000000Z' }, ['WCI-DT-026']],
    ['last_updated with an offset', { last_updated: '2026-03-01T12:00:00.000+00:00' }, ['WCI-DT-026']],
    [
      'last_updated on a day that does not exist',
      { last_updated: '2026-02-30T12:00:00.000Z' },
      ['WCI-DT-026'],
    ],
    ['last_updated as a number', { last_updated: 1_772_366_400_000 }, ['WCI-DT-026']],
    ['a null last_updated', { last_updated: null }, ['WCI-DT-026']],
    ['last_updated with a small z', { last_updated: '2026-03-01t12:00:00.000z' }, ['WCI-DT-026']],
  ];

  test.each(
    cases.flatMap(([title, more, violated]) =>
      everywhere.map(([where, show]) => [title, where, show, more, violated] as const),
    ),
  )('%s in %s', (_, __, show, more, violated) => {
    expect(judgeLast(show(more)).violated).toEqual(violated);
  });
});

describe('the record of a subscribe', () => {
  const subscribe = (more: JsonObject) =>
    judgeLast(exchange({ operation: 'wci.subscribe', body: subscribed(more) })).violated;

  test('may be incomplete under any name', () => {
    expect(subscribe({ sub_status: 'AWAITING_PASSPORT', missing_info: ['passport'] })).toEqual([]);
  });

  test.each([
    [{ sub_status: null, missing_info: ['x'] }, ['WCI-SUB-013']],
    [{ sub_status: 'X', missing_info: null }, ['WCI-STS-016']],
    [{ status: undefined }, ['WCI-SUB-022']],
    [{ status: 'DONE' }, ['WCI-SUB-022']],
    [{ missing_info: ['email'] }, ['WCI-RDY-017', 'WCI-SUB-013']],
    [{ missing_info: undefined }, ['WCI-STS-016']],
  ] as const)('%j violates %j', (more, violated) => {
    expect(subscribe(more as unknown as JsonObject)).toEqual(violated);
  });
});

describe('the members of a status answer', () => {
  test.each([
    'checkin_id',
    'booking_id',
    'status',
    'sub_status',
    'checkin_message',
    'missing_info',
    'last_updated',
  ])('include %s', (member) => {
    expect(
      judgeLast(exchange({ operation: 'wci.status', body: without(statusBody(), member) })).violated,
    ).toEqual(['WCI-STS-005']);
  });

  test('stand at the top', () => {
    const { violated } = judgeLast(
      exchange({ operation: 'wci.status', body: { success: true, data: record() } }),
    );
    expect(violated).toEqual(['WCI-STS-005']);
  });

  test('have a sub_status that is a text', () => {
    expect(judgeLast(byStatus({ sub_status: null })).violated).toEqual(['WCI-STS-005']);
  });
});
