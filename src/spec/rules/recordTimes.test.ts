import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../trace/body.ts';
import { item, listBody, statusBody, subscribed, updateBody } from '../../../test/support/judge/bodies.ts';
import {
  exchange,
  judgeLast,
  testStart,
  type ExchangeSketch,
} from '../../../test/support/judge/exchanges.ts';

const hour = 3_600_000;
const time = (milliseconds: number) => new Date(testStart + milliseconds).toISOString();
const list = (more: JsonObject, sketch: Partial<ExchangeSketch> = {}) =>
  exchange({ operation: 'wci.list', body: listBody([item(more)]), ...sketch });
const status = (more: JsonObject, sketch: Partial<ExchangeSketch> = {}) =>
  exchange({
    operation: 'wci.status',
    query: 'checkin_id=chk-1234567890',
    body: statusBody(more),
    ...sketch,
  });

describe('created_at', () => {
  test('never changes', () => {
    const first = list({ created_at: time(-5000), last_updated: time(0) });
    expect(judgeLast(first, list({ created_at: time(-5000), last_updated: time(0) })).holds).toContain(
      'WCI-LST-027',
    );
    expect(judgeLast(first, list({ created_at: time(-4999), last_updated: time(0) })).violated).toEqual([
      'WCI-LST-027',
    ]);
  });

  test('of another record or another enterprise is another matter', () => {
    const first = list({ created_at: time(-5000), last_updated: time(0) });
    const other = list({ created_at: time(-1), last_updated: time(0), checkin_id: 'chk-2222222222' });
    expect(judgeLast(first, other).violated).toEqual([]);
    const foreign = list(
      { created_at: time(-1), last_updated: time(0) },
      { enterprise: 'other', key: 'other#1' },
    );
    expect(judgeLast(first, foreign).violated).toEqual([]);
  });
});

describe('last_updated', () => {
  test('is not before created_at', () => {
    expect(judgeLast(list({ created_at: time(0), last_updated: time(0) })).violated).toEqual([]);
    expect(judgeLast(list({ created_at: time(0), last_updated: time(-4000) })).violated).toEqual([
      'WCI-DT-029',
    ]);
    expect(
      judgeLast(list({ created_at: time(0), last_updated: time(0) }), status({ last_updated: time(-hour) }))
        .violated,
    ).toEqual(['WCI-DT-029']);
  });

  test('does not go back from one answer to the next', () => {
    const first = status({ last_updated: time(500) }, { at: 1000, until: 1100 });
    expect(judgeLast(first, status({ last_updated: time(500) }, { at: 12_000 })).holds).toContain(
      'WCI-DT-029',
    );
    expect(judgeLast(first, status({ last_updated: time(-3500) }, { at: 12_000 })).violated).toEqual([
      'WCI-DT-029',
    ]);
    const update = exchange({
      operation: 'wci.update',
      body: updateBody({ last_updated: time(-3500) }),
      at: 2000,
    });
    expect(judgeLast(first, update).violated).toEqual(['WCI-DT-029']);
  });

  test('may lie before created_at, and go back, by what clocks of two machines and whole seconds differ by', () => {
    expect(judgeLast(list({ created_at: time(0), last_updated: time(-40) })).violated).toEqual([]);
    expect(judgeLast(list({ created_at: time(0), last_updated: time(-2900) })).violated).toEqual([]);
    const first = status({ last_updated: time(500) }, { at: 1000, until: 1100 });
    expect(judgeLast(first, status({ last_updated: time(-1500) }, { at: 2000 })).violated).toEqual([]);
  });

  test('may be behind in a status that is late, for some seconds', () => {
    const update = exchange({
      operation: 'wci.update',
      body: updateBody({ last_updated: time(9000) }),
      at: 10_000,
    });
    const read = (at: number) => status({ last_updated: time(0) }, { at });
    expect(judgeLast(update, read(10_500)).violated).toEqual([]);
    expect(judgeLast(update, read(30_000)).violated).toEqual(['WCI-DT-029']);
    const listed = list({ created_at: time(0), last_updated: time(9000) }, { at: 10_000, until: 10_100 });
    expect(judgeLast(listed, read(10_500)).violated).toEqual([]);
    expect(judgeLast(listed, read(30_000)).violated).toEqual(['WCI-DT-029']);
  });

  test('may be behind in a list that is late, for some seconds', () => {
    const told = status({ last_updated: time(9000) }, { at: 10_000, until: 10_100 });
    const listed = (at: number) => list({ created_at: time(0), last_updated: time(0) }, { at });
    expect(judgeLast(told, listed(10_500)).violated).toEqual([]);
    expect(judgeLast(told, listed(30_000)).violated).toEqual(['WCI-DT-029']);
    const newer = list({ created_at: time(0), last_updated: time(9000) }, { at: 10_200, until: 10_300 });
    expect(judgeLast(newer, listed(10_500)).violated).toEqual(['WCI-DT-029']);
  });

  test('may look as if it did where answers overtake each other', () => {
    const slow = status({ last_updated: time(400) }, { at: 1000, until: 9000 });
    const fast = status({ last_updated: time(500) }, { at: 1500, until: 1600 });
    expect(judgeLast(fast, slow).violated).toEqual([]);
    expect(judgeLast(slow, fast).violated).toEqual([]);
  });
});

describe('last_updated and the status', () => {
  const look = (state: string, updated: number, at: number) =>
    status({ status: state, sub_status: 'X', last_updated: time(updated) }, { at, until: at + 5 });

  test('moves with it', () => {
    const [first, again] = [look('SCHEDULED', -7, 0), look('SCHEDULED', -7, 100)];
    expect(judgeLast(first, again, look('FAILED', -7, 200)).violated).toEqual(['WCI-DT-035']);
    expect(judgeLast(first, again, look('FAILED', 150, 200)).holds).toContain('WCI-DT-035');
  });

  test('may be the same where the change followed at once, or seconds are whole', () => {
    expect(judgeLast(look('SCHEDULED', -7, 0), look('FAILED', -7, 200)).violated).toEqual([]);
    const whole = [look('SCHEDULED', 0, 0), look('SCHEDULED', 0, 3900), look('FAILED', 0, 4000)];
    expect(judgeLast(...whole).violated).toEqual([]);
    const settled = [look('SCHEDULED', 0, 0), look('SCHEDULED', 0, 4100), look('FAILED', 0, 4200)];
    expect(judgeLast(...settled).violated).toEqual(['WCI-DT-035']);
  });

  test.each([
    ['one machine', 0, ['WCI-DT-035']],
    ['machines whose clocks are 1.6 s apart', 1600, []],
  ])('of %s soon after the creation', (_what, skew, violated) => {
    const make = (id: string, at: number) =>
      exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id: id }), at, until: at });
    const seen = (id: string, created: number) =>
      list({ checkin_id: id, created_at: time(created), last_updated: time(created) }, { at: 60, until: 65 });
    const [own, other] = ['chk-1234567890', 'chk-2222222222'];
    const before = [make(other, 0), make(own, 5), seen(other, -7), seen(own, skew - 7)];
    const [first, again] = [look('SCHEDULED', skew - 7, 100), look('SCHEDULED', skew - 7, 200)];
    expect(judgeLast(...before, first, again, look('FAILED', skew - 7, 300)).violated).toEqual(violated);
    expect(judgeLast(...before, first, again, look('FAILED', skew - 7, 3100)).violated).toEqual([
      'WCI-DT-035',
    ]);
  });

  test('is told from the next one where the deployment keeps milliseconds', () => {
    const fine = look('SCHEDULED', -7, 0);
    const looks = [fine, look('SCHEDULED', 1000, 1000), look('SCHEDULED', 1000, 1100)];
    expect(judgeLast(fine, ...looks.slice(1), look('FAILED', 1000, 1200)).violated).toEqual(['WCI-DT-035']);
  });
});

const earlier = '2026-03-01T11:00:00.500Z';
const later = '2026-03-01T11:00:01.250Z';

function shows(
  operation: 'wci.update' | 'wci.status',
  at: string,
  missing: readonly string[],
  more: object = {},
) {
  const record = {
    ...{ checkin_id: 'chk-12345678', booking_id: 7, status: 'SCHEDULED', checkin_message: '' },
    ...{ sub_status: 'X', missing_info: missing, boarding_passes: [], last_updated: at },
  };
  const body =
    operation === 'wci.status'
      ? { success: true, ...record }
      : { success: true, type: 'passengers', operation: 'update', data: record };
  return exchange({ operation, body, ...more });
}

test.each([
  ['moves', 'wci.update', later, 'email', []],
  ['stays, with the same missing', 'wci.update', earlier, 'pnr', []],
  ['stays, with something else missing', 'wci.update', earlier, 'email', ['WCI-UPD-034']],
  ['stays in a read', 'wci.status', earlier, 'email', []],
] as const)('a last_updated that %s', (_, operation, at, missing, rows) => {
  const last = shows(operation, at, [missing], { at: 104_000 });
  const { violated } = judgeLast(shows('wci.status', earlier, ['pnr'], { at: 100_000 }), last);
  expect(violated.filter((row) => row === 'WCI-UPD-034')).toEqual(rows);
});

test('two updates of one moment, by whatever clocks, have one time', () => {
  const first = shows('wci.update', earlier, ['pnr'], { at: 100_000, until: 100_010 });
  const second = shows('wci.update', earlier, ['email'], { at: 102_000, until: 102_010 });
  expect(judgeLast(first, second).violated).not.toContain('WCI-UPD-034');
  const whole = '2026-03-01T11:00:00.000Z';
  const one = shows('wci.update', whole, ['pnr'], { at: 100_000, until: 100_010 });
  const other = shows('wci.update', whole, ['email'], { at: 103_500, until: 103_510 });
  expect(judgeLast(one, other).violated).not.toContain('WCI-UPD-034');
});
