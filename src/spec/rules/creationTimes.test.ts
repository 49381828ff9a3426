import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Watch } from '../../judge/kernel/oracle.ts';
import { item, listBody, subscribed } from '../../../test/support/judge/bodies.ts';
import {
  exchange,
  judgeLast,
  testStart,
  type ExchangeSketch,
} from '../../../test/support/judge/exchanges.ts';

import { recordHistory } from '../../judge/webcheckin/oracles/recordHistory.ts';

const hour = 3_600_000;
const time = (milliseconds: number) => new Date(testStart + milliseconds).toISOString();
const list = (more: JsonObject, sketch: Partial<ExchangeSketch> = {}) =>
  exchange({ operation: 'wci.list', body: listBody([item(more)]), ...sketch });
/** What a watch says of WCI-DT-028 over these exchanges, and at the end. */
function creationsIn(watch: Watch, exchanges: readonly Exchange[]): readonly string[] {
  const samples = exchanges.flatMap((one) => watch.exchange?.(one) ?? []);
  return [...samples, ...(watch.end?.() ?? [])]
    .filter(({ requirement }) => requirement === 'WCI-DT-028')
    .map(({ judgement }) => judgement.status);
}

describe('created_at', () => {
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
    const ahead: ExchangeSketch['headers'] = [['Date', new Date(testStart + 3 * hour).toUTCString()]];
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

  test.each<[what: string, off: number, leads: Exchange[], status: string | null, isDated: boolean]>([
    ['ahead of the header', 160, [], 'violated', true],
    ['ahead, and so are lead times', 160, [departing(30, rejected)], null, true],
    ['ahead, and lead times are not', 160, [departing(30, taken)], 'violated', true],
    ['behind once, as of an older record', -160, [], null, true],
    ['ahead without a header', 160, [], null, false],
    ['a zone ahead without a header', 120, [departing(200, taken)], null, false],
    ['ahead without a header, and lead times are not', 160, [departing(30, taken)], 'violated', false],
    ['a zone ahead without a header, and lead times are not', 120, [departing(30, taken)], 'violated', false],
  ])('%s', (_what, off, leads, status, isDated) => {
    const all = [subscribe(), ...leads, listed(minutes(off))].map((one) => (isDated ? one : dateless(one)));
    expect(creationsIn(recordHistory.createWatch(), all)).toEqual(status === null ? [] : [status]);
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
    ['behind by anything', [-160, -4000], []],
    ['ahead from some record on', [0, 160, 160], ['holds']],
    ['to and fro', [0, 160, 0, 160], ['holds', 'holds', 'violated']],
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
