import { expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import { Inbox, tokensFrom } from '../receive/inbox.ts';
import { accepting, answerStatus } from '../receive/script.ts';
import { Board, start } from './board.ts';

function boardOf(keep?: number) {
  const inbox = new Inbox({ clock: systemClock, newToken: tokensFrom('board') });
  const redactor = new Redactor();
  const board = new Board({
    inbox,
    redactor,
    baseUrl: () => 'http://sink',
    ...(keep === undefined ? {} : { keep }),
  });
  inbox.listen((delivery) => void board.add(delivery));
  const send = (path: string, body: string | Uint8Array, headers: readonly [string, string][] = []) =>
    inbox.admit(path).record({
      method: 'POST',
      target: path,
      headers,
      body: Buffer.from(body as string),
      truncated: false,
      startedAt: 0,
      receivedAt: 7,
      connection: 'k1',
    });
  return { board, send };
}

it('shows what came without secrets and without characters that hide', async () => {
  const { board, send } = boardOf();
  const { token, url } = board.open('mine', accepting, { name: 'Authorization', value: 's3cret-value' });
  expect(url).toBe(`http://sink/${token}`);
  const body = '{"fid":"\u202e1","changes":{"departure":{"gate":"B12"},"note":"s3cret-value","list":[1]}}';
  await send(`/${token}?a=s3cret-value`, body, [
    ['Authorization', 's3cret-value'],
    ['X-Other', 's3cret-value'],
    ['Cookie', 'session=1'],
  ]);
  const { arrivals, addresses } = board.since(start);
  const [arrival] = arrivals;
  expect(JSON.stringify(arrivals)).not.toMatch(/s3cret|session=1|\u202e/);
  expect(arrival).toMatchObject({
    label: 'mine',
    ms: 7,
    answer: '200',
    about: '\\u202e1: departure.gate=B12, note=‹credential of mine›, list',
    credential: { status: 'match' },
    size: `${Buffer.byteLength(body)} bytes`,
  });
  expect(arrival?.pretty).toContain('\n  "changes": {');
  expect(addresses).toMatchObject([{ label: 'mine', count: 1, mismatches: 0, expects: 'Authorization' }]);
});

it.each<[string | Uint8Array, string, string]>([
  ['', 'no body', '0 bytes'],
  ['x', 'not JSON', '1 bytes'],
  ['[1]', 'not a JSON object', '3 bytes'],
  [new Uint8Array([0xff, 0xfe]), 'not JSON', '2 bytes, not UTF-8'],
  ['x'.repeat(20_000), 'not JSON', '20000 bytes, the first 16384 shown'],
])('shows any body: %.10j', async (body, about, size) => {
  const { board, send } = boardOf();
  const { token } = board.open('mine', accepting, null);
  await send(`/${token}`, body);
  expect(board.since(start).arrivals[0]).toMatchObject({
    about,
    size,
    pretty: about === 'not a JSON object' ? '[\n  1\n]' : null,
  });
});

it('judges what came before as well, when a credential becomes known', async () => {
  const { board, send } = boardOf();
  const { token } = board.open('mine', accepting, null);
  await send(`/${token}`, '{}', [['Authorization', 'right-value']]);
  await send(`/${token}`, '{}', [['Authorization', 'wrong-value']]);
  const before = board.since(start);
  expect(before.arrivals.map(({ credential }) => credential.status)).toEqual(['unchecked', 'unchecked']);
  expect(board.expect(token, { name: 'Authorization', value: 'right-value' })).toBe(true);
  const after = board.since(before.cursor);
  expect(after.reset).toBe(true);
  expect(after.arrivals.map(({ credential }) => credential.status)).toEqual(['match', 'mismatch']);
  expect(after.addresses[0]?.mismatches).toBe(1);
});

it('tells a reader only what is new, and wakes it', async () => {
  const { board, send } = boardOf();
  const { token } = board.open('mine', accepting, null);
  await send(`/${token}`, '1');
  const { cursor } = board.since(start);
  const woken = board.news(cursor, new AbortController().signal);
  await send(`/${token}`, '2');
  await woken;
  expect(board.since(cursor)).toMatchObject({ reset: false, total: 2, arrivals: [{ body: '2' }] });
  await board.news(board.since(cursor).cursor, AbortSignal.timeout(10));
});

it('remembers only the latest, however many come', async () => {
  const { board, send } = boardOf(3);
  const { token } = board.open('mine', accepting, null);
  for (let index = 0; index < 10; index += 1) await send(`/${token}`, String(index));
  const { arrivals, total } = board.since(start);
  expect([arrivals.map(({ body }) => body), total]).toEqual([['7', '8', '9'], 10]);
});

it('answers by the script of an address', () => {
  const { board } = boardOf();
  const { token } = board.open('mine', [answerStatus(503), answerStatus(503), answerStatus(200)], null);
  expect(board.addresses[0]?.answer).toBe('503x2,200');
  expect(board.answerWith(token, [answerStatus(410)])).toBe(true);
  expect(board.addresses[0]?.answer).toBe('410');
  expect([board.answerWith('other', accepting), board.expect('other', null)]).toEqual([false, false]);
});
