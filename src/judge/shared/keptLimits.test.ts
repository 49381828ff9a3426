import { describe, expect, test } from 'vitest';
import { errorBody, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange, testStart, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Note, Step } from '../../trace/evidence.ts';
import type { Known } from '../kernel/oracle.ts';
import { keptLimits } from './keptLimits.ts';

const list = (at: number, more: Partial<ExchangeSketch> = {}) =>
  exchange({ operation: 'wci.list', body: listBody([]), at, until: at + 5, key: 'issued#1', ...more });
const refused = (at: number, more: Partial<ExchangeSketch> = {}) =>
  list(at, { status: 429, body: errorBody('RATE_LIMITED', { retryAfter: 10 }), ...more });
const lists = (count: number, from: number, everyMs: number, more: Partial<ExchangeSketch> = {}) =>
  Array.from({ length: count }, (_, index) => list(from + index * everyMs, more));

const advanced = (movedMs: number, endedAt: number): Step => ({
  ...{ type: 'step', id: 's1', operation: 'clock.advance', params: { seconds: movedMs / 1000 } },
  ...{ startedAt: endedAt - 1, endedAt, outcome: 'done', error: null, movedMs },
  told: { now: '2026-03-01T12:00:00.000Z' },
});

/** What is broken, as a run sees it that knows all that its own keys send. */
function broken(all: readonly Exchange[], known: Partial<Known> = {}) {
  const watch = keptLimits.createWatch({ movedMs: 0, isOnlyUser: true, ...known });
  const samples = [...all.flatMap((one) => watch.exchange?.(one) ?? []), ...(watch.end?.() ?? [])];
  return [...new Set(samples.map(({ requirement }) => requirement))];
}

describe('too many', () => {
  test('70 requests of a key within 14 s break the limit of the minute, 60 do not', () => {
    expect(broken(lists(70, 0, 200))).toEqual(['SHR-LIM-002']);
    expect(broken(lists(60, 0, 200))).toEqual([]);
  });

  test('what counts together is named, from the first to the last', () => {
    const all = lists(61, 0, 200);
    const watch = keptLimits.createWatch({ movedMs: 0 });
    for (const one of all) watch.exchange?.(one);
    const [sample] = watch.end?.() ?? [];
    expect(sample?.judgement).toMatchObject({
      got: { kind: 'count', ids: all.map(({ id }) => id) },
      because: all.map(({ id }) => ({ id })),
    });
  });

  test('only what certainly fell within one minute counts, and only what was carried out', () => {
    expect(broken(lists(61, 0, 1000))).toEqual([]);
    expect(broken(lists(70, 0, 200, { status: 404, body: errorBody('NOT_FOUND') }))).toEqual([]);
    expect(broken(lists(70, 0, 200, { until: 70_000 }))).toEqual([]);
    expect(broken([...lists(40, 0, 200), ...lists(40, 0, 200, { key: 'issued#2' })])).toEqual([]);
  });

  test('the limits of the environment are those of its settings', () => {
    expect(broken(lists(70, 0, 200), { limits: { perMinute: 100, perHour: 1000 } })).toEqual([]);
    expect(broken(lists(30, 0, 200), { limits: { perMinute: 20, perHour: 1000 } })).toEqual(['SHR-LIM-002']);
  });

  test('time that the state handler moved has passed', () => {
    const known = { movedMs: 0 };
    const watch = keptLimits.createWatch(known);
    for (const one of lists(40, 0, 100)) watch.exchange?.(one);
    known.movedMs = 61_000;
    for (const one of lists(40, 5000, 100)) watch.exchange?.(one);
    expect(watch.end?.()).toEqual([]);
  });

  test('all that was under way while the clock was moved may have been decided before that', () => {
    const known = { movedMs: 0 };
    const watch = keptLimits.createWatch(known);
    // Each was sent before the step, and answered after it.
    const underWay = lists(40, 20_000, 100, { until: 60_000 });
    for (const one of lists(10, 21_000, 10)) watch.exchange?.(one);
    known.movedMs = 30_000;
    watch.note?.(advanced(30_000, testStart + 50_000));
    for (const one of underWay) watch.exchange?.(one);
    for (const one of lists(30, 60_100, 10)) watch.exchange?.(one);
    expect(watch.end?.()).toEqual([]);
  });

  test('nothing is counted over a time in which somebody else moved the clock', () => {
    const known = { movedMs: 0 };
    const watch = keptLimits.createWatch(known);
    const told = (movedMs: number, at: number): Note => ({
      ...advanced(movedMs, testStart + at),
      operation: 'capabilities',
    });
    watch.note?.(told(0, 0));
    for (const one of lists(70, 100, 100)) watch.exchange?.(one);
    known.movedMs = 61_000;
    watch.note?.(told(61_000, 10_000));
    for (const one of lists(40, 11_000, 100)) watch.exchange?.(one);
    expect(watch.end?.()).toEqual([]);
    for (const one of lists(30, 16_000, 100)) watch.exchange?.(one);
    expect(watch.end?.().map(({ requirement }) => requirement)).toEqual(['SHR-LIM-002']);
  });

  test('a clock that turns out to have been set back makes unsure what was counted before, and moves on from there', () => {
    const known = { movedMs: 9_000_000 };
    const watch = keptLimits.createWatch(known);
    for (const one of lists(40, 0, 100)) watch.exchange?.(one);
    const underWay = lists(30, 4100, 1, { until: 5500 });
    // A restart was not known before the handler moved the clock and told the time.
    known.movedMs = 62_000;
    for (const one of [...lists(40, 5000, 10), ...underWay]) watch.exchange?.(one);
    known.movedMs = 124_000;
    for (const one of lists(40, 6000, 100)) watch.exchange?.(one);
    expect(watch.end?.()).toEqual([]);
    for (const one of lists(30, 10_100, 100)) watch.exchange?.(one);
    expect(watch.end?.().map(({ requirement }) => requirement)).toEqual(['SHR-LIM-002']);
  });

  test('1001 requests within an hour break the limit of the hour', () => {
    expect(broken(lists(1001, 0, 1100))).toEqual(['SHR-LIM-008']);
    expect(broken(lists(1000, 0, 1100))).toEqual([]);
  });

  test('the row of what explains them is named: a form that passes a full limit, or one that does not count', () => {
    const full = [...lists(60, 0, 100), refused(6100)];
    const lookup = (at: number) => list(at, { operation: 'fla.lookup', body: [] });
    expect(broken([...full, lookup(6200), refused(6300)])).toEqual(['SHR-LIM-029']);
    expect(broken([lookup(0), lookup(100), ...lists(60, 200, 100), refused(6300)])).toEqual(['SHR-LIM-014']);
  });

  test('a window that is fixed breaks its own row', () => {
    const first = [list(0), ...lists(59, 55_000, 10), refused(55_700)];
    expect(broken([...first, ...lists(60, 62_500, 10), refused(63_200)])).toEqual(['SHR-LIM-003']);
  });

  test('a limiter that refuses with another status is told by the rest', () => {
    const failed = { status: 500, body: errorBody('INTERNAL_ERROR') };
    expect(broken([...lists(60, 0, 100), ...lists(4, 6100, 100, failed)])).toEqual(['SHR-LIM-002']);
    expect(broken([...lists(50, 0, 100), ...lists(4, 6100, 100, failed)])).toEqual([]);
  });
});

describe('refused with room', () => {
  const tooEarly = [...lists(59, 0, 100), refused(6000)];

  test('a key of the run that is refused below its limits', () => {
    expect(broken(tooEarly)).toEqual(['SHR-LIM-001']);
    expect(broken([...lists(60, 0, 100), refused(6100)])).toEqual([]);
  });

  test('is not said of keys that others may use, nor where nobody says that all is seen', () => {
    expect(broken(tooEarly, { isOnlyUser: false })).toEqual([]);
    const given = [...lists(59, 0, 100, { key: 'primary#1' }), refused(6000, { key: 'primary#1' })];
    expect(broken(given)).toEqual([]);
  });

  test('is not said where the clock was set back, but of keys that came later', () => {
    const known = { movedMs: 9_000_000, isOnlyUser: true, movesLimits: true } as const;
    const after = (first: readonly Exchange[], key: string) => {
      const moved: Known = { ...known };
      const watch = keptLimits.createWatch(moved);
      for (const one of first) watch.exchange?.(one);
      Object.assign(moved, { movedMs: 0 });
      for (const one of [...lists(20, 6000, 10, { key }), refused(7000, { key })]) watch.exchange?.(one);
      return watch.end?.().map(({ requirement }) => requirement);
    };
    expect(after(lists(50, 0, 100), 'issued#1')).toEqual([]);
    expect(after(lists(50, 0, 100), 'issued#2')).toEqual(['SHR-LIM-001']);
  });

  test('is no matter of the clock that was moved unless the limits follow it', () => {
    const known: { movedMs: number; movesLimits: boolean; isOnlyUser: true } = {
      ...{ movedMs: 0, movesLimits: false, isOnlyUser: true },
    };
    for (const movesLimits of [false, true]) {
      Object.assign(known, { movedMs: 0, movesLimits });
      const watch = keptLimits.createWatch(known);
      for (const one of lists(60, 0, 100)) watch.exchange?.(one);
      known.movedMs = 70_000;
      watch.exchange?.(refused(7000));
      expect(watch.end?.().map(({ requirement }) => requirement)).toEqual(movesLimits ? ['SHR-LIM-006'] : []);
    }
  });

  test('a wait of an hour is not for the way in which the minute is counted', () => {
    const waiting = (retryAfter: number) =>
      refused(363_000, { body: errorBody('RATE_LIMITED', { retryAfter }) });
    // Another key may send more in an hour.
    const others = lists(100, 0, 1100, { key: 'other#1', enterprise: 'other' });
    // A count weighted between two minutes would explain it.
    const weighted = [...lists(60, 300_000, 10), ...lists(3, 362_000, 10)];
    const counted = (retryAfter: number) => broken([...others, ...weighted, waiting(retryAfter)]);
    expect([counted(30), counted(3000)]).toEqual([['SHR-LIM-003'], ['SHR-LIM-007']]);
  });

  test('keys of an enterprise that share a budget', () => {
    const other = { key: 'issued#2' };
    const shared = [...lists(60, 0, 100), refused(6100), ...lists(1, 6200, 1, { ...other, status: 404 })];
    expect(broken([...shared, refused(6300, other)])).toEqual(['SHR-LIM-011']);
  });
});
