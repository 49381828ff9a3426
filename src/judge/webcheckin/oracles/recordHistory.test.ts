import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../core/evidence.ts';
import type { JsonObject } from '../../kernel/body.ts';
import type { Watch } from '../../kernel/oracle.ts';
import { item, listBody, statusBody, subscribed, updateBody } from '../../../../test/support/judge/bodies.ts';
import {
  exchange,
  judgeLast,
  testStart,
  type ExchangeSketch,
} from '../../../../test/support/judge/exchanges.ts';

import { recordHistory } from './recordHistory.ts';

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

/** What a watch says of WCI-DT-028 over these exchanges, and at the end. */
function creationsIn(watch: Watch, exchanges: readonly Exchange[]): readonly string[] {
  const samples = exchanges.flatMap((one) => watch.exchange?.(one) ?? []);
  return [...samples, ...(watch.end?.() ?? [])]
    .filter(({ requirement }) => requirement === 'WCI-DT-028')
    .map(({ judgement }) => judgement.status);
}

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

  const subscribe = (message = 'SCHEDULED', headers?: ExchangeSketch['headers']) =>
    exchange({
      operation: 'wci.subscribe',
      body: subscribed({ message }),
      at: 1000,
      ...(headers ? { headers } : {}),
    });
  const listed = (offset: number) =>
    list({ created_at: time(1000 + offset), last_updated: time(1000 + 20 * hour), scheduled_time: null });

  test.each([0, 60_000, -60_000, 15 * 60_000, -15 * 60_000])(
    'may be %i ms off, as clocks drift',
    (offset) => {
      const { holds, violated } = judgeLast(subscribe(), listed(offset));
      expect(violated).toEqual([]);
      expect(holds).toContain('WCI-DT-028');
    },
  );

  test.each([hour, 3 * hour, 5.5 * hour, 5.75 * hour, -hour, -5 * hour, -10 * hour, 13 * hour])(
    'may not be local time, %i ms off',
    (offset) => {
      expect(judgeLast(subscribe(), listed(offset + 1500)).violated).toEqual(['WCI-DT-028']);
    },
  );

  test('is compared with the clock of the deployment', () => {
    const ahead: ExchangeSketch['headers'] = [
      ['Content-Type', 'application/json'],
      ['Date', new Date(testStart + 3 * hour).toUTCString()],
    ];
    expect(judgeLast(subscribe('SCHEDULED', ahead), listed(3 * hour)).holds).toContain('WCI-DT-028');
    // Whoever wrote the header may have another clock than the one that wrote created_at.
    expect(judgeLast(subscribe('SCHEDULED', ahead), listed(0)).holds).toContain('WCI-DT-028');
    expect(judgeLast(subscribe('SCHEDULED', ahead), listed(-5 * hour)).violated).toEqual(['WCI-DT-028']);
    expect(judgeLast(subscribe('SCHEDULED', ahead), listed(7.2 * hour)).violated).toEqual([]);
  });

  test('is compared with our clock where the deployment tells none, and may then have been moved ahead', () => {
    const dateless = subscribe();
    if (dateless.outcome.kind !== 'response') throw new Error('no response');
    const { response } = dateless.outcome;
    const headers = response.headers.filter(([name]) => name !== 'Date');
    const bare = { ...dateless, outcome: { kind: 'response' as const, response: { ...response, headers } } };
    expect(judgeLast(bare, listed(0)).holds).toContain('WCI-DT-028');
    expect(judgeLast(bare, listed(hour)).violated).toEqual([]);
    expect(judgeLast(bare, listed(-hour)).violated).toEqual(['WCI-DT-028']);
  });

  test.each([
    { moved: 160, off: 160, status: 'holds' },
    { moved: 120, off: 120, status: 'holds' },
    { moved: 120, off: 0, status: 'holds' },
    { moved: 160, off: 400, status: 'violated' },
    { moved: 160, off: 240, status: 'violated' },
    { moved: 0, off: 160, status: 'violated' },
    { moved: 0, off: 180, status: 'violated' },
  ])('$off minutes off with a clock that was moved by $moved is $status', ({ moved, off, status }) => {
    const watch = recordHistory.createWatch({ movedMs: moved * 60_000 });
    expect(creationsIn(watch, [subscribe(), listed(off * 60_000)])).toEqual([status]);
  });

  const minutes = (count: number) => count * 60_000;
  const dateless = (one: Exchange): Exchange => {
    if (one.outcome.kind !== 'response') return one;
    const headers = one.outcome.response.headers.filter(([name]) => name !== 'Date');
    return { ...one, outcome: { kind: 'response', response: { ...one.outcome.response, headers } } };
  };
  /** A subscribe of a flight from London so many minutes after the six hours by our clock, in winter. */
  const departing = (late: number, answer: Partial<ExchangeSketch>) => {
    const departure_datetime = time(6 * hour + minutes(late)).slice(0, 19);
    return exchange({
      ...{ operation: 'wci.subscribe', at: 0, ...answer },
      sent: { flights: [{ origin: 'LHR', departure_datetime }] },
      requestHeaders: [
        ['X-API-Key', 'one'],
        ['Content-Type', 'application/json'],
      ],
    });
  };
  const taken = { body: subscribed({ checkin_id: 'chk-3333333333' }) };
  const rejected = { status: 422, body: { success: false, error: 'REJECTED', message: 'Too close.' } };

  test.each<[what: string, off: number, leads: Exchange[], status: string, isDated: boolean]>([
    ['ahead of the header', 160, [], 'violated', true],
    ['ahead, and so are lead times', 160, [departing(30, rejected)], 'unclear', true],
    ['ahead, and lead times are not', 160, [departing(30, taken)], 'violated', true],
    ['behind once, as of an older record', -160, [], 'unclear', true],
    ['ahead without a header', 160, [], 'unclear', false],
    ['a zone ahead without a header', 120, [departing(200, taken)], 'unclear', false],
    ['ahead without a header, and lead times are not', 160, [departing(30, taken)], 'violated', false],
    ['a zone ahead without a header, and lead times are not', 120, [departing(30, taken)], 'violated', false],
  ])('%s', (_what, off, leads, status, isDated) => {
    const all = [subscribe(), ...leads, listed(minutes(off))].map((one) => (isDated ? one : dateless(one)));
    expect(creationsIn(recordHistory.createWatch(), all)).toEqual([status]);
  });

  const made = (number: number, off: number) => {
    const checkin_id = `chk-444444444${number}`;
    const at = number * 1000;
    const created_at = time(at + minutes(off));
    return [
      exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id }), at }),
      list({ checkin_id, created_at, last_updated: created_at, scheduled_time: null }),
    ];
  };

  test.each<[what: string, offs: number[], statuses: string[]]>([
    ['behind each time', [-160, -161], ['violated', 'violated']],
    ['behind by anything', [-160, -4000], ['unclear', 'unclear']],
    ['ahead from some record on', [0, 160, 160], ['holds', 'unclear', 'unclear']],
    ['to and fro', [0, 160, 0, 160], ['holds', 'unclear', 'holds', 'violated']],
  ])('%s', (_what, offs, statuses) => {
    const all = offs.flatMap((off, at) => made(at, off));
    expect(creationsIn(recordHistory.createWatch(), all)).toEqual(statuses);
  });

  test('of a record that was there before may be any', () => {
    expect(judgeLast(subscribe('ALREADY_SUBSCRIBED'), listed(-100 * hour)).violated).toEqual([]);
  });

  test('may step ahead with a clock that was moved', () => {
    const second = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ checkin_id: 'chk-2222222222' }),
      at: 5000,
    });
    const moved = list({
      checkin_id: 'chk-2222222222',
      created_at: time(5000 + hour),
      last_updated: time(5000 + hour),
      scheduled_time: null,
    });
    expect(judgeLast(subscribe(), listed(0), second, moved).violated).toEqual([]);
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

describe('the ids of a record', () => {
  const subscribe = exchange({ operation: 'wci.subscribe', body: subscribed(), at: 1 });

  test('are the same in every answer', () => {
    expect(judgeLast(subscribe, status({})).holds).toContain('WCI-STS-006');
    expect(judgeLast(subscribe, status({ booking_id: 1 })).violated).toEqual(['WCI-STS-006']);
    expect(judgeLast(subscribe, list({ booking_id: 1 })).violated).toEqual(['WCI-STS-008']);
    const update = exchange({ operation: 'wci.update', body: updateBody({ booking_id: 1 }) });
    expect(judgeLast(subscribe, update).violated).toEqual(['WCI-UPD-035']);
    const again = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ message: 'ALREADY_SUBSCRIBED', booking_id: 1 }),
    });
    expect(judgeLast(subscribe, again).violated).toEqual(['WCI-SUB-016']);
  });

  test('are spelt the same wherever they are not the echo of a request', () => {
    const padded = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ checkin_id: 'chk-1234567890 ' }),
      at: 1,
    });
    expect(judgeLast(padded, list({})).violated).toEqual(['WCI-STS-008']);
    expect(judgeLast(subscribe, list({ checkin_id: 'CHK-1234567890' })).violated).toEqual(['WCI-STS-008']);
    const capital = { query: 'checkin_id=CHK-1234567890' };
    expect(judgeLast(subscribe, status({ checkin_id: 'CHK-1234567890' }, capital)).violated).toEqual([]);
    const updated = (checkin_id: string) =>
      exchange({
        operation: 'wci.update',
        sent: { checkin_id },
        body: updateBody({ checkin_id: 'CHK-1234567890' }),
      });
    expect(judgeLast(subscribe, updated('chk-1234567890')).violated).toEqual(['WCI-UPD-035']);
    expect(judgeLast(subscribe, updated('CHK-1234567890')).violated).toEqual([]);
  });

  test('may share a booking with another attempt', () => {
    const other = exchange({
      operation: 'wci.subscribe',
      body: subscribed({ checkin_id: 'chk-2222222222' }),
    });
    expect(judgeLast(subscribe, other).violated).toEqual([]);
  });

  test('are those that were asked for', () => {
    const ask = (query: string) =>
      judgeLast(exchange({ operation: 'wci.status', query, body: statusBody() })).violated;
    expect(ask('checkin_id=chk-1234567890')).toEqual([]);
    expect(ask('checkinId=chk-1234567890')).toEqual([]);
    expect(ask('checkin_id=chk%2D1234567890&unknown=1')).toEqual([]);
    expect(ask('checkin_id=chk-other00000&checkinId=chk-1234567890')).toEqual([]);
    expect(ask('checkin_id=%20CHK-1234567890')).toEqual([]);
    expect(ask('checkin_id=chk-other00000')).toEqual(['WCI-STS-006']);
    expect(ask('checkinId=chk-other00000')).toEqual(['WCI-STS-006']);
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
