import { expect, test } from 'vitest';
import { bounded, fromHere } from './bounds.ts';

const echo = async (request: Request) => new Response(await request.text());
const post = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://127.0.0.1/', { method: 'POST', body, headers, duplex: 'half' });

function streamOf(...parts: readonly string[]): ReadableStream {
  return new Blob([...parts]).stream();
}

test.each<[what: string, request: Request, status: number]>([
  ['a short body', post('abc', { 'content-length': '3' }), 200],
  ['a long one that says so', post('abc', { 'content-length': '400000000' }), 413],
  ['a short one without a length', post(streamOf('ab', 'c')), 200],
  ['a long one without a length', post(streamOf('abcde', 'fghijk')), 413],
  ['none', new Request('http://127.0.0.1/'), 200],
])('%s is answered with its status', async (_what, request, status) => {
  expect((await bounded(10, echo)(request, null)).status).toBe(status);
});

test.each<[listensOn: string, headers: Record<string, string>, status: number]>([
  ['127.0.0.1', { host: '127.0.0.1:8080' }, 200],
  ['127.0.0.1', { host: 'localhost:8080' }, 200],
  ['::1', { host: '[::1]:8080' }, 200],
  ['127.0.0.1', { host: 'rebound.example.com:8080' }, 403],
  ['127.0.0.1', { host: 'localhost:8080', origin: 'https://evil.example' }, 403],
  ['0.0.0.0', { host: 'reference:8080' }, 200],
  ['0.0.0.0', { host: 'reference:8080', origin: 'http://reference:8080' }, 403],
])('who listens on %s and is asked with %o answers %i', async (listensOn, headers, status) => {
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: '', headers });
  expect((await fromHere(listensOn, echo)(request, null)).status).toBe(status);
});
