import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { KeyRing } from './keyRing.ts';
import { openPaceBook, type PaceBook } from './paceBook.ts';
import { Pacer } from './pacer.ts';

const start = Date.UTC(2026, 6, 1, 9, 30);
const limits = [
  { limit: 2, windowMs: 60_000 },
  { limit: 5, windowMs: 3_600_000 },
];
const keys = KeyRing.of({ primary: ['s3cret-one', 's3cret-two'], other: [], special: {} }).primary;
const first = keys.slice(0, 1);

let folder: string;
let books: PaceBook[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatecheck-pace-'));
  books = [];
});
afterEach(() => {
  for (const book of books) book.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A run that starts at some time; it ends when nothing more is sent. */
function runAt(at: number, { clock = new VirtualClock(at), target = 'http://a', dir = folder } = {}) {
  const book = openPaceBook({ folder: dir, keys, target, clock, limits });
  books.push(book);
  const pacer = new Pacer({ clock, limits, book });
  pacer.recall(keys);
  const send = async (requests: number, of = first) => {
    for (let index = 0; index < requests; index += 1) (await pacer.acquire(of)).done();
    return clock.monotonic();
  };
  return { clock, pacer, send };
}

test('a run waits for what the run before it sent with the same key', async () => {
  expect(await runAt(start).send(2)).toBe(0);
  expect(await runAt(start + 10_000).send(1)).toBe(51_000);
  expect(await runAt(start + 300_000).send(2)).toBe(0);
  // The hour allows five: the sixth waits for the first of all.
  expect(await runAt(start + 600_000).send(1)).toBe(3_601_000 - 600_000);
});

test('what was sent is known before it is answered: a run that was killed counts all the same', async () => {
  const killed = runAt(start);
  expect(killed.pacer.tryAcquire(first)).not.toBeNull();
  expect(killed.pacer.tryAcquire(first)).not.toBeNull();
  const waited = await runAt(start + 1000).send(1);
  expect(waited).toBeGreaterThanOrEqual(60_000);
  // Its answers may have come later than was noted.
  expect(waited).toBeLessThanOrEqual(91_000);
});

test('two runs at once take the slots of a window together, and no one more', async () => {
  const clock = new VirtualClock(start);
  const [one, other] = [runAt(start, { clock }), runAt(start, { clock })];
  const sent: number[] = [];
  const sendAll = async ({ pacer }: ReturnType<typeof runAt>) => {
    for (let index = 0; index < 2; index += 1) {
      const ticket = await pacer.acquire(first);
      sent.push(clock.monotonic());
      ticket.done();
    }
  };
  await Promise.all([sendAll(one), sendAll(other)]);
  expect(sent.slice(0, 2)).toEqual([0, 0]);
  expect(sent.slice(2).every((at) => at >= 60_000)).toBe(true);
});

test('where another run has filled a key, the next key is taken', async () => {
  const clock = new VirtualClock(start);
  const [one, other] = [runAt(start, { clock }), runAt(start, { clock })];
  await one.send(2);
  const ticket = other.pacer.tryAcquire(keys);
  expect(ticket?.key.label).toBe('primary#2');
  expect(clock.monotonic()).toBe(0);
});

test('the same key at another deployment is another matter', async () => {
  await runAt(start).send(2);
  expect(await runAt(start, { target: 'http://b' }).send(2)).toBe(0);
});

test('a server whose clock was moved has room again, for others as well', async () => {
  const mover = runAt(start);
  await mover.send(2);
  mover.pacer.age(120_000);
  expect(await mover.send(2)).toBe(0);
  mover.pacer.age(120_000);
  expect(await runAt(start + 1000).send(1)).toBe(0);
});

test('a wall clock that was set back costs at most one window', async () => {
  await runAt(start).send(2);
  expect(await runAt(start - 1_200_000).send(1)).toBeLessThanOrEqual(61_000);
});

/** A clock of a machine that is set forward or back. */
class SetClock extends VirtualClock {
  byMs = 0;

  override now(): number {
    return super.now() + this.byMs;
  }
}

test.each([
  ['back by an hour', -3_600_000],
  ['back by thirty days', -30 * 24 * 3_600_000],
  ['forward by an hour', 3_600_000],
])(
  'a wall clock that is set %s in the middle of a run: it still waits for its own window, once',
  async (_what, byMs) => {
    const clock = new SetClock(start);
    const run = runAt(start, { clock });
    expect(await run.send(2)).toBe(0);
    clock.byMs = byMs;
    expect(await run.send(1)).toBe(61_000);
    expect(await run.send(1)).toBe(61_000);
    expect(await run.send(1)).toBe(122_000);
  },
);

test('no key stands in a file, and what is older than two hours is removed', async () => {
  await runAt(start).send(1);
  const text = () => readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'latin1'));
  expect(text().join()).not.toContain('s3cret');
  const before = readdirSync(folder);
  await runAt(start + 4 * 3_600_000).send(1);
  expect(readdirSync(folder).filter((name) => before.includes(name))).toEqual([]);
});

test('what is no line of the book is passed over', async () => {
  await runAt(start).send(0);
  for (const name of readdirSync(folder))
    writeFileSync(join(folder, name), '+\n=x y\n\u0000\n+a b\n~z\n+half');
  expect(await runAt(start).send(2)).toBe(0);
});

test('of a page that something else has filled, only the end is read', async () => {
  await runAt(start).send(2);
  const pages = readdirSync(folder);
  for (const name of pages) appendFileSync(join(folder, name), `${'x'.repeat(5_000_000)}\n`);
  expect(await runAt(start + 10_000).send(2)).toBe(0);
  expect(await runAt(start + 20_000).send(1)).toBeGreaterThan(0);
});

test('a folder that cannot be written costs the memory, not the run', async () => {
  expect(await runAt(start, { dir: '/dev/null/pace' }).send(2)).toBe(0);
});
