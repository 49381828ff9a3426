import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from './contentEncoding.ts';

const text = Buffer.from('{"success":true}');

test.each([
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  [' GZIP ', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
])('a body in %s is undone', async (encoding, body) => {
  expect(await decodeBody(body, encoding, 1000)).toEqual({ body: text, truncated: false });
});

test.each([
  ['an unknown coding', 'snappy', text],
  ['two codings', 'gzip, br', gzipSync(text)],
  ['a coding that is not what it says', 'gzip', text],
  ['a broken body', 'gzip', gzipSync(text).subarray(0, 20)],
  ['an empty body', 'gzip', Buffer.alloc(0)],
  ['a name of the prototype', 'constructor', text],
])('%s leaves the bytes as they are', async (_what, encoding, body) => {
  expect(await decodeBody(body, encoding, 1000)).toEqual({ body, truncated: false });
});

test('of a body that is small only while it is packed, no more than the limit is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
  const { body, truncated } = await decodeBody(bomb, 'gzip', 1000);
  expect(truncated).toBe(true);
  expect(Buffer.from(body).toString()).toBe('a'.repeat(1000));
});

test('a body that unpacks to exactly the limit is whole', async () => {
  expect((await decodeBody(gzipSync(text), 'gzip', text.length)).truncated).toBe(false);
  expect((await decodeBody(gzipSync(text), 'gzip', text.length - 1)).truncated).toBe(true);
});
