import { expect, test } from 'vitest';
import { delivery } from '../../../test/support/judge/deliveries.ts';
import { CausedChanges } from './causedChanges.ts';
import { readSinkManner, scriptOf } from './sinkManner.ts';

const change = (mark: string, registration = 'a') => ({
  requirement: 'WCI-CB-021',
  subject: 'chk-1',
  status: 'IN_PROGRESS',
  mark,
  registration,
  askedAt: 1000,
  evidence: null,
});
const told = (registration: string, receivedAt: number, answer = '200') => ({
  ...delivery({ token: registration }),
  ...{ receivedAt, answer },
});

test('a change is told of once, at its own address; what comes again is counted with its interval', () => {
  const book = new CausedChanges();
  book.caused(change('m1'));
  book.caused(change('m2'));
  expect(book.note(told('b', 1100), 'm1')).toBeNull();
  expect(book.note(told('a', 1200), 'm1')).toBe(200);
  expect(book.note(told('a', 3200), 'm1')).toBeNull();
  expect(book.note(told('a', 9200), 'm1')).toBeNull();
  expect(book.counts).toEqual({ caused: 2, told: 1, taken: 1, lost: 1, repeated: 2 });
  expect(
    book.retries.map(({ turn, interval }) => [turn, interval.count, Math.round(interval.p50Ms / 100)]),
  ).toEqual([
    [1, 1, 20],
    [2, 1, 60],
  ]);
  expect(book.exampleOf('WCI-CB-021')?.mark).toBe('m2');
});

test('a change that did not come about is lost to nobody', () => {
  const book = new CausedChanges();
  book.caused(change('m1'));
  book.withdraw('m1');
  expect(book.counts).toMatchObject({ caused: 0, lost: 0 });
});

test('what the sink refused has come, and is taken only when it comes again', () => {
  const book = new CausedChanges();
  book.caused(change('m1'));
  book.caused(change('m2'));
  for (const mark of ['m1', 'm2']) book.note(told('a', 1200, '503'), mark);
  expect([book.isTold('m1'), book.isTaken('m1')]).toEqual([true, false]);
  book.note(told('b', 3000), 'm1');
  expect(book.isTaken('m1')).toBe(false);
  book.note(told('a', 6200, '200 after 500 ms'), 'm1');
  expect(book.isTaken('m1')).toBe(true);
  expect(book.summary).toMatchObject({ told: 2, taken: 1, lost: 0, untilTaken: { count: 1 } });
});

test('a webhook without the message of its change is known by address, record and status', () => {
  const book = new CausedChanges();
  book.caused(change('m1'));
  const event = (checkinId: string, status: string) => ({ checkinId, changes: { status } });
  expect(book.markOf('a', event('chk-1', 'IN_PROGRESS'))).toBe('m1');
  expect(book.markOf('b', event('chk-1', 'IN_PROGRESS'))).toBeNull();
  expect(book.markOf('a', event('chk-2', 'IN_PROGRESS'))).toBeNull();
  expect(book.markOf('a', event('chk-1', 'COMPLETED'))).toBeNull();
});

test.each([
  ['ok', 0, ['200']],
  ['slow:500ms', 0, ['200 late']],
  ['fail:2', 0, ['503', '503', '200']],
  ['down:30s', 20_000, ['503']],
  ['down:30s', 0, ['200']],
])('a sink that is %s, %d ms before it is back', (text, downMs, answers) => {
  const manner = readSinkManner(text);
  const script = manner === undefined ? [] : scriptOf(manner, downMs);
  const shown = script.map((one) =>
    one.kind === 'status' ? `${one.status}${one.delayMs === undefined ? '' : ' late'}` : '',
  );
  expect(shown).toEqual(answers);
});

test.each(['', 'slow', 'slow:0s', 'fail:2s', 'fail:99', 'down:30', 'ok:1', 'gone:1s'])(
  '%j is no manner',
  (text) => expect(readSinkManner(text)).toBeUndefined(),
);
