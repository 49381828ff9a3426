import { describe, expect, test } from 'vitest';
import { statusBody, subscribed } from '../../test/support/judge/bodies.ts';
import { delivery } from '../../test/support/judge/deliveries.ts';
import { exchange, testStart, type ExchangeSketch } from '../../test/support/judge/exchanges.ts';
import type { Delivery, Exchange } from '../core/evidence.ts';
import { passOf } from '../spec/rules/passes.ts';
import type { Sample } from './kernel/sample.ts';
import { wholeLoad } from './wholeLoad.ts';

const anybody = wholeLoad();

/** What is said of the rows of one section. */
function judged(oracle: typeof anybody, exchanges: readonly Exchange[], section = ''): readonly string[] {
  const watch = oracle.createWatch();
  const samples: readonly Sample[] = [
    ...exchanges.flatMap((one) => watch.exchange?.(one) ?? []),
    ...(watch.end?.() ?? []),
  ];
  const said = samples.map(({ requirement, judgement }) => `${requirement} ${judgement.status}`);
  return said.filter((one) => one.includes(section));
}

const subscribe = (
  id: string,
  quota: readonly [consumed: number, included: number] | null,
  sketch: Partial<ExchangeSketch> = {},
) =>
  exchange({
    operation: 'wci.subscribe',
    sent: { pnr: `PNR${id.slice(-3)}` },
    body: subscribed({
      checkin_id: id,
      sub_status: 'COMPLETE_INFO',
      ...(quota === null
        ? { quota: null }
        : { quota: { consumed_units: quota[0], included_units: quota[1] } }),
    }),
    ...sketch,
  });
const id = (number: number) => `chk-0000000${String(number).padStart(3, '0')}`;
/** One record every 500 ms; consumed as this tells. */
const series = (count: number, consumed: (index: number) => number, included = 1000) =>
  Array.from({ length: count }, (_, index) =>
    subscribe(id(index), [consumed(index), included], { at: index * 500, until: index * 500 + 100 }),
  );

describe('units and records', () => {
  test('as many units as records is right, whatever others take as well', () => {
    expect(
      judged(
        anybody,
        series(20, (index) => index + 1),
      ),
    ).toContain('WCI-QTA-001 holds');
    expect(
      judged(
        anybody,
        series(20, (index) => index * 3),
      ),
    ).toContain('WCI-QTA-001 holds');
  });

  test('units that get lost are seen', () => {
    expect(
      judged(
        anybody,
        series(20, (index) => 1 + Math.floor(index / 2)),
      ),
    ).toContain('WCI-QTA-001 violated');
  });

  test('more units than subscribes are seen where nobody else subscribes for the enterprise', () => {
    const alone = wholeLoad(() => true);
    expect(
      judged(
        alone,
        series(20, (index) => index * 3),
      ),
    ).toContain('WCI-QTA-001 violated');
    // A snapshot may be from two seconds before, and what was answered with an error may have been made.
    expect(
      judged(
        alone,
        series(20, (index) => Math.max(1, index - 2)),
      ),
    ).toContain('WCI-QTA-001 holds');
    const failed = Array.from({ length: 20 }, (_, index) =>
      subscribe(id(100 + index), null, { at: 4000, until: 4500, status: 500, body: {} }),
    );
    const all = [
      ...series(5, (index) => index + 1),
      ...failed,
      ...series(20, (index) => index + 16).slice(10),
    ];
    expect(judged(alone, all)).toContain('WCI-QTA-001 holds');
  });

  test('a snapshot that lags behind a little is no violation', () => {
    expect(
      judged(
        anybody,
        series(20, (index) => Math.max(1, index - 2)),
      ),
    ).toContain('WCI-QTA-001 holds');
  });

  test('a quota that is changed meanwhile tells nothing', () => {
    const all = [...series(10, (index) => index + 1), ...series(20, () => 1, 5000).slice(10)];
    expect(judged(anybody, all, 'QTA-001')).toEqual([]);
  });

  test('more records than units were left is an overrun, told once', () => {
    const samples = judged(
      anybody,
      series(12, (index) => Math.min(10, 4 + index), 10),
    );
    expect(samples.filter((one) => one === 'WCI-QTA-010 violated')).toHaveLength(1);
    expect(
      judged(
        anybody,
        series(7, (index) => 4 + index, 10),
      ),
    ).not.toContain('WCI-QTA-010 violated');
  });

  test('an answer without a quota says nothing', () => {
    expect(judged(anybody, [subscribe(id(1), null), subscribe(id(2), null)])).toEqual([]);
  });
});

describe('one booking, one record', () => {
  const race = (one: string, other: string, sketch: Partial<ExchangeSketch> = {}) => [
    subscribe(one, null, { at: 1000, until: 1100, sent: { pnr: 'ABC123' } }),
    subscribe(other, null, { at: 1050, until: 1200, sent: { pnr: 'ABC123' }, ...sketch }),
  ];

  test('the same id for both is right, two ids are not', () => {
    expect(judged(anybody, race(id(1), id(1)))).toEqual(['WCI-SUB-021 holds']);
    expect(judged(anybody, race(id(1), id(2)))).toEqual(['WCI-SUB-021 violated']);
  });

  test('another enterprise, another body or another time is another matter', () => {
    expect(judged(anybody, race(id(1), id(2), { enterprise: 'other' }))).toEqual([]);
    expect(judged(anybody, race(id(1), id(2), { sent: { pnr: 'ABC124' } }))).toEqual([]);
    expect(judged(anybody, race(id(1), id(2), { at: 1100, until: 1300 }))).toEqual([]);
    expect(judged(anybody, race(id(1), id(2), { sent: { pnr: null } }))).toEqual([]);
  });
});

describe('what was pushed and what is polled', () => {
  const id = 'chk-0000000001';
  const told = (status: string, atMs: number) => ({
    ...delivery({
      body: { occurredAt: new Date(testStart + atMs).toISOString(), checkin_id: id, changes: { status } },
    }),
    receivedAt: testStart + Math.max(1000, atMs),
  });
  const read = (status: string, updatedMs: number, at: number) =>
    exchange({
      operation: 'wci.status',
      query: `checkin_id=${id}`,
      at,
      body: statusBody({
        checkin_id: id,
        status,
        last_updated: new Date(testStart + updatedMs).toISOString(),
      }),
    });
  const judge = (deliveries: readonly Delivery[], last: Exchange) => {
    const watch = anybody.createWatch();
    for (const one of deliveries) watch.delivery?.(one);
    return (watch.exchange?.(last) ?? []).map(({ judgement }) => judgement.status);
  };

  test('a status that is behind a webhook of long ago is seen', () => {
    expect(judge([told('COMPLETED', 1000)], read('COMPLETED', 1000, 9000))).toEqual(['holds']);
    expect(judge([told('COMPLETED', 4000)], read('SCHEDULED', 500, 9500))).toEqual(['violated']);
  });

  test('clocks that differ put nothing behind, and of webhooks of about the same time each may be the last', () => {
    expect(judge([told('COMPLETED', 1900)], read('SCHEDULED', 1000, 9000))).toEqual([]);
    const both = [told('COMPLETED', 4000), told('IN_PROGRESS', 3000)];
    for (const status of ['COMPLETED', 'IN_PROGRESS'])
      expect(judge(both, read(status, 500, 9500))).toEqual(['holds']);
    expect(judge(both, read('SCHEDULED', 500, 9500))).toEqual(['violated']);
  });

  test('soon after, or moved on since, it says nothing', () => {
    expect(judge([told('COMPLETED', 1000)], read('SCHEDULED', 500, 3000))).toEqual([]);
    expect(judge([told('IN_PROGRESS', 1000)], read('COMPLETED', 4000, 9000))).toEqual([]);
    // An earlier change that is delivered late.
    expect(
      judge([told('COMPLETED', 4000), told('IN_PROGRESS', 1000)], read('COMPLETED', 4000, 20_000)),
    ).toEqual(['holds']);
  });
});

describe('boarding passes', () => {
  const [own, foreign] = ['chk-0000000001', 'chk-0000000002'];
  const shows = (...passes: readonly string[]) =>
    judged(anybody, [
      exchange({
        operation: 'wci.status',
        query: `checkin_id=${own}`,
        body: statusBody({ checkin_id: own, status: 'COMPLETED', boarding_passes: passes }),
      }),
    ]);

  test('of its own record, also one that is signed anew for each answer, are right; of another are not', () => {
    expect(shows(passOf(own))).toEqual(['WCI-STS-011 holds']);
    expect(shows(`${passOf(own)}?signature=1`)).toEqual(['WCI-STS-011 holds']);
    expect(shows(passOf(foreign))).toEqual(['WCI-STS-011 violated']);
    expect(shows(`${passOf(own)}0`)).toEqual(['WCI-STS-011 violated']);
  });

  test('that no load gave say nothing', () => {
    expect(shows('https://airline.example.com/pass/1')).toEqual([]);
    expect(shows()).toEqual([]);
  });
});

describe('what two senders are shown', () => {
  const checkinId = 'chk-0000000001';
  const read = (sender: string | null, updatedMs: number, at: number): Exchange => {
    const one = exchange({
      operation: 'wci.status',
      query: `checkin_id=${checkinId}`,
      at,
      body: statusBody({
        checkin_id: checkinId,
        last_updated: new Date(testStart + updatedMs).toISOString(),
      }),
    });
    return sender === null ? one : { ...one, id: `${sender}/${one.id}` };
  };
  const judgeReads = (...exchanges: readonly Exchange[]) => {
    const watch = anybody.createWatch();
    return exchanges.flatMap((one) => watch.exchange?.(one) ?? []).map(({ judgement }) => judgement.status);
  };

  test('an older state that another sender is shown long after is seen', () => {
    expect(judgeReads(read('w1', 10_000, 11_000), read('w2', 2000, 30_000))).toEqual(['violated']);
    expect(judgeReads(read('w1', 10_000, 11_000), read('w2', 10_000, 30_000))).toEqual(['holds']);
    expect(judgeReads(read('w1', 10_000, 11_000), read('w2', 12_000, 30_000))).toEqual(['holds']);
  });

  test('soon after, within what clocks differ by, or by the same sender, it says nothing against anybody', () => {
    expect(judgeReads(read('w1', 10_000, 11_000), read('w2', 2000, 14_000))).toEqual([]);
    expect(judgeReads(read('w1', 10_000, 11_000), read('w2', 8000, 30_000))).toEqual(['holds']);
    expect(judgeReads(read('w1', 10_000, 11_000), read('w1', 2000, 30_000))).toEqual([]);
    expect(judgeReads(read(null, 10_000, 11_000), read(null, 2000, 30_000))).toEqual([]);
  });
});
