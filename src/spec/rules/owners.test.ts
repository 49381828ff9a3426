import { describe, expect, test } from 'vitest';
import {
  errorBody,
  item,
  listBody,
  statusBody,
  subscribed,
  updateBody,
} from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const id = 'chk-primary-0001';
const theirs = exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id: id }), at: 1 });
const other = { enterprise: 'other', key: 'other#1' } as const;
const judge = (sketch: ExchangeSketch) => judgeLast(theirs, exchange({ ...other, ...sketch }));
const own = { checkin_id: 'chk-other-00002', booking_id: 9 };
const notFound = { status: 404, body: errorBody('NOT_FOUND') } as const;

describe('what another enterprise may be answered', () => {
  const cases: readonly [string, ExchangeSketch, readonly string[]][] = [
    ['its own list', { operation: 'wci.list', body: listBody([item(own)]) }, ['WCI-LST-023']],
    [
      '404 for a foreign status',
      { operation: 'wci.status', query: `checkin_id=${id}`, ...notFound },
      ['WCI-SCP-001'],
    ],
    [
      '404 through the alias',
      { operation: 'wci.status', query: `checkinId=${id}`, ...notFound },
      ['WCI-SCP-013'],
    ],
    [
      '404 for a foreign update',
      { operation: 'wci.update', sent: { checkin_id: id }, ...notFound },
      ['WCI-SCP-002'],
    ],
    [
      '404 beside an own booking',
      { operation: 'wci.update', sent: { checkin_id: id, booking_id: 9 }, ...notFound },
      ['WCI-SCP-011'],
    ],
    [
      '400 beside an own booking',
      {
        operation: 'wci.update',
        sent: { checkin_id: id, booking_id: 9 },
        status: 400,
        body: errorBody('VALIDATION_ERROR'),
      },
      ['WCI-SCP-011'],
    ],
    [
      'an error that echoes the id',
      {
        operation: 'wci.status',
        query: `checkin_id=${id}`,
        status: 404,
        body: errorBody('NOT_FOUND', { message: `No check-in ${id}.` }),
      },
      ['WCI-SCP-001'],
    ],
    ['an attempt of its own for the same booking', { operation: 'wci.subscribe', body: subscribed(own) }, []],
    [
      'an attempt of the same internal booking',
      { operation: 'wci.subscribe', body: subscribed({ ...own, booking_id: 4711 }) },
      [],
    ],
    [
      'an update by a shared booking',
      { operation: 'wci.update', sent: { booking_id: 4711 }, body: updateBody({ ...own, booking_id: 4711 }) },
      [],
    ],
    [
      '429',
      {
        operation: 'wci.status',
        query: `checkin_id=${id}`,
        status: 429,
        body: errorBody('SLOW', { retryAfter: 1 }),
      },
      [],
    ],
  ];

  test.each(cases)('%s', (_, sketch, sampled) => {
    const { holds, violated } = judge(sketch);
    expect(violated).toEqual([]);
    expect(holds.filter((name) => /SCP|LST-023/.test(name))).toEqual(sampled);
  });

  test('the owner may see it by any of its keys', () => {
    const sketch = {
      operation: 'wci.list',
      key: 'primary#2',
      body: listBody([item({ checkin_id: id })]),
    } as const;
    expect(judgeLast(theirs, exchange(sketch)).violated).toEqual([]);
  });

  test('short ids may be numbers that each enterprise counts for itself', () => {
    const first = exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id: '101' }) });
    const sketch = {
      ...other,
      operation: 'wci.list',
      body: listBody([item({ checkin_id: '101', flight_number: '101' })]),
    } as const;
    expect(judgeLast(first, exchange(sketch)).violated).toEqual([]);
  });
});

describe('what another enterprise may not be answered', () => {
  const cases: readonly [string, ExchangeSketch, readonly string[]][] = [
    [
      'a foreign item',
      { operation: 'wci.list', body: listBody([item(own), item({ checkin_id: id })], { total: 2 }) },
      ['WCI-LST-023'],
    ],
    [
      'a foreign status',
      { operation: 'wci.status', query: `checkin_id=${id}`, body: statusBody({ checkin_id: id }) },
      ['WCI-SCP-001'],
    ],
    [
      'a foreign status through the alias',
      { operation: 'wci.status', query: `checkinId=${id}`, body: statusBody({ checkin_id: id }) },
      ['WCI-SCP-013'],
    ],
    [
      'a foreign update',
      { operation: 'wci.update', sent: { checkin_id: id }, body: updateBody({ checkin_id: id }) },
      ['WCI-SCP-002'],
    ],
    [
      'a foreign update through the alias',
      { operation: 'wci.update', sent: { webcheckin_id: id }, body: updateBody({ checkin_id: id }) },
      ['WCI-SCP-002'],
    ],
    [
      'the own booking in place of a foreign id',
      { operation: 'wci.update', sent: { checkin_id: id, booking_id: 9 }, body: updateBody(own) },
      ['WCI-SCP-011'],
    ],
    [
      'a foreign record by its booking',
      { operation: 'wci.update', sent: { booking_id: 4711 }, body: updateBody({ checkin_id: id }) },
      ['WCI-SCP-003'],
    ],
    [
      'a foreign record by the parts of an update',
      {
        operation: 'wci.update',
        requestHeaders: [['Content-Type', 'multipart/form-data; boundary=x']],
        sentRaw: `--x\r\nContent-Disposition: form-data; name="checkin_id"\r\n\r\n${id}\r\n--x--\r\n`,
        body: updateBody({ checkin_id: id }),
      },
      ['WCI-MP-019'],
    ],
    [
      'a foreign record by an update that cannot be read',
      { operation: 'wci.update', sentRaw: `--x\r\n\r\n${id}\r\n--x--`, body: updateBody({ checkin_id: id }) },
      ['WCI-SCP-002'],
    ],
    [
      'a foreign record by an alias beside an own id',
      {
        operation: 'wci.status',
        query: `checkin_id=${own.checkin_id}&checkinId=${id}`,
        body: statusBody({ checkin_id: id }),
      },
      ['WCI-SCP-001'],
    ],
    [
      'the foreign attempt of a booking',
      { operation: 'wci.subscribe', body: subscribed({ checkin_id: id, message: 'ALREADY_SUBSCRIBED' }) },
      ['WCI-SCP-007'],
    ],
    [
      'a refusal that tells of it',
      {
        operation: 'wci.subscribe',
        status: 422,
        body: errorBody('REJECTED', { reason: `already subscribed as ${id}` }),
      },
      ['WCI-SCP-008'],
    ],
    [
      'that a foreign record is forbidden',
      { operation: 'wci.status', query: `checkin_id=${id}`, status: 403, body: errorBody('FORBIDDEN') },
      ['SHR-ERR-016', 'WCI-SCP-001'],
    ],
    [
      'that a foreign record is in conflict',
      { operation: 'wci.update', sent: { checkin_id: id }, status: 409, body: errorBody('CONFLICT') },
      ['WCI-SCP-002'],
    ],
    [
      'that a foreign booking is forbidden',
      { operation: 'wci.update', sent: { booking_id: 4711 }, status: 403, body: errorBody('FORBIDDEN') },
      ['SHR-ERR-015', 'WCI-SCP-003'],
    ],
    [
      'an acceptance that tells of it',
      { operation: 'wci.subscribe', body: subscribed({ ...own, existing: id }) },
      ['WCI-SCP-008'],
    ],
  ];

  test.each(cases)('%s', (_, sketch, violated) => {
    expect(judge(sketch).violated).toEqual(violated);
  });
});

const headers = [['Date', 'Sun, 01 Mar 2026 12:00:00 GMT']] as const;
const made = { operation: 'wci.subscribe', body: subscribed({ checkin_id: id }), headers, at: 0 } as const;
const status = { operation: 'wci.status', query: `checkin_id=${id}`, headers } as const;
const lost = { ...status, status: 404, body: errorBody('NOT_FOUND') } as const;
const update = { operation: 'wci.update', status: 404, body: errorBody('NOT_FOUND'), headers } as const;

const brokenBy = (...sketches: readonly ExchangeSketch[]) =>
  judgeLast(...(sketches.map(exchange) as [ReturnType<typeof exchange>])).violated;

test('it is found by each key of the enterprise', () => {
  expect(brokenBy(made, { ...lost, key: 'primary#2', at: 6_000 })).toEqual(['WCI-SCP-010', 'WCI-STS-001']);
});

test('a record that was made is found from then on', () => {
  expect(brokenBy(made, { ...lost, at: 6_000 })).toEqual(['WCI-STS-001']);
  // A copy may not have it yet; whoever updates it asks no copy.
  expect(brokenBy(made, { ...lost, at: 1_500 })).toEqual([]);
  expect(brokenBy(made, { ...update, sent: { checkin_id: id }, at: 150 })).toEqual(['WCI-UPD-044']);
  expect(brokenBy(made, { ...lost, at: 3_500 })).toEqual(['WCI-STS-001']);
  expect(brokenBy(made, { ...lost, query: `checkinId=${id}`, at: 6_000 })).toEqual(['WCI-STS-002']);
  expect(brokenBy(made, { ...update, sent: { checkin_id: id }, at: 6_000 })).toEqual(['WCI-UPD-044']);
  expect(brokenBy(made, { ...update, sent: { webcheckin_id: id }, at: 6_000 })).toEqual(['WCI-UPD-044']);
  const read = { ...status, body: statusBody({ checkin_id: id }), at: 200 };
  expect(brokenBy(made, read, { ...lost, at: 400 })).toEqual(['WCI-STS-001']);
  expect(brokenBy(made, { ...lost, status: 400, body: errorBody('VALIDATION_ERROR'), at: 6_000 })).toEqual([
    'WCI-STS-001',
  ]);
});

test('what was asked for before it was shown, foreign, long ago or asked for by two ids says nothing', () => {
  expect(brokenBy({ ...made, at: 1_000 }, { ...lost, at: 500 })).toEqual([]);
  expect(brokenBy(made, { ...lost, enterprise: 'other', key: 'other#1', at: 6_000 })).toEqual([]);
  const later = [['Date', 'Tue, 03 Mar 2026 12:00:00 GMT']] as const;
  expect(brokenBy(made, { ...lost, headers: later, at: 6_000 })).toEqual([]);
  expect(brokenBy(made, { ...lost, query: `checkin_id=none&checkinId=${id}`, at: 6_000 })).toEqual([]);
  expect(brokenBy(made, { ...update, sent: { checkin_id: id, booking_id: 5 }, at: 6_000 })).toEqual([]);
});

test('an id that names nothing is not found, and neither a booking number nor a part of an id stands in for it', () => {
  const ask = (query: string, answer: Partial<ExchangeSketch>) =>
    judgeLast(theirs, exchange({ operation: 'wci.status', at: 5_000, query, ...answer }));
  const refused = { status: 400, body: errorBody('VALIDATION_ERROR') };
  expect(ask('checkin_id=chk-primary-9999', notFound).holds).toContain('WCI-STS-004');
  expect(ask('checkin_id=chk-primary-9999', refused).violated).toContain('WCI-STS-004');
  expect(ask('checkin_id=quite-another', refused).violated).toEqual([]);
  const shown = { body: statusBody({ checkin_id: id }) };
  expect(ask('checkin_id=chk-primary-000', shown).violated).toContain('WCI-STS-004');
  expect(ask('booking_id=1', refused).violated).toEqual([]);
  expect(ask('booking_id=1', notFound).violated).toEqual(['WCI-STS-010']);
  expect(ask('', notFound).violated).toEqual(['WCI-STS-003']);
});
