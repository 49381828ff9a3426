import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkClockBook, clockBookOf, openClockBook, withClockBook } from './clockBook.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { noStateHandler } from '../../target/stateHandler.ts';

const minute = 60_000;
const folder = () => mkdtempSync(join(tmpdir(), 'gatecheck-clock-'));

test('what was moved is known to later runs on the same deployment, and to no other', () => {
  const memory = folder();
  clockBookOf(memory, 'http://127.0.0.1:8080/api').move(160 * minute);
  expect(clockBookOf(memory, 'http://127.0.0.1:8080').movedMs).toBe(160 * minute);
  expect(clockBookOf(memory, 'http://127.0.0.1:8081').movedMs).toBe(0);
});

test('a running process learns what another one moves', () => {
  const memory = folder();
  const standing = openClockBook(memory, 'one');
  expect(standing.movedMs).toBe(0);
  openClockBook(memory, 'one').move(minute);
  expect(standing.movedMs).toBe(minute);
});

test('a deployment that tells that its clock is back has been started anew: the file goes', () => {
  const memory = folder();
  const book = openClockBook(memory, 'one');
  // Its clock is an hour behind from the start.
  book.told(-60 * minute);
  book.move(160 * minute);
  book.told(100 * minute);
  expect(book.movedMs).toBe(160 * minute);
  const later = openClockBook(memory, 'one');
  later.told(-60 * minute + 200);
  expect([later.movedMs, existsSync(later.path ?? '')]).toEqual([0, false]);
});

test('a move that somebody else made is noted as well', () => {
  const book = openClockBook(null, 'one');
  book.told(0);
  book.move(minute);
  book.told(121 * minute);
  expect(book.movedMs).toBe(121 * minute);
});

test.each(['', '{}', '{"version":2}', 'null'])('a file that holds %j says nothing', (text) => {
  const memory = folder();
  const book = openClockBook(memory, 'one');
  book.move(minute);
  writeFileSync(book.path ?? '', text);
  expect(openClockBook(memory, 'one').movedMs).toBe(0);
});

test('where the folder cannot be written, this run knows all the same', () => {
  const book = openClockBook('/proc/nowhere', 'one');
  book.move(minute);
  book.move(minute);
  expect(book.movedMs).toBe(2 * minute);
});

test('a state handler that moves the clock is followed, whether it tells the time or not', async () => {
  const [clock, book] = [new VirtualClock(0), openClockBook(null, 'one')];
  const silent = { ...noStateHandler, set: () => Promise.resolve({}) };
  await withClockBook(silent, book, clock).set('clock.advance', { seconds: 60 });
  expect(book.movedMs).toBe(minute);
  const telling = {
    ...noStateHandler,
    set: () => Promise.resolve({ now: new Date(3 * minute).toISOString() }),
  };
  await withClockBook(telling, book, clock).set('clock.advance', { seconds: 120 });
  expect(book.movedMs).toBe(3 * minute);
});

test('a handler is asked for its time where earlier runs moved the clock, so that a restart is known at once', async () => {
  const [clock, book, asked] = [new VirtualClock(0), openClockBook(null, 'one'), [] as string[]];
  const set = (state: string) => {
    asked.push(state);
    return Promise.resolve({ now: new Date(0).toISOString() });
  };
  const handler = withClockBook({ ...noStateHandler, states: ['capabilities'], set }, book, clock);
  await checkClockBook(handler, book);
  expect(asked).toEqual([]);
  book.told(0);
  book.move(160 * minute);
  await checkClockBook(noStateHandler, book);
  expect(book.movedMs).toBe(160 * minute);
  await checkClockBook(handler, book);
  expect([asked, book.movedMs]).toEqual([['capabilities'], 0]);
});

test('a handler that does not answer leaves what earlier runs moved', async () => {
  const book = openClockBook(null, 'one');
  book.move(minute);
  await checkClockBook({ ...noStateHandler, states: ['capabilities'] }, book);
  expect(book.movedMs).toBe(minute);
});
