import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { readRecording } from './readRecorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(content: unknown) {
  return readBytes(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)));
}

async function readBytes(bytes: Uint8Array) {
  const path = join(folder, 'traffic.har');
  writeFileSync(path, bytes);
  return readRecording(path);
}

const json = Buffer.from('{"success":true,"data":[]}');
const base64 = (bytes: Uint8Array) => ({ text: Buffer.from(bytes).toString('base64'), encoding: 'base64' });

const har = (...entries: readonly unknown[]) => ({ log: { version: '1.2', entries } });

function entry(
  changes: { readonly request?: object; readonly response?: object; readonly [name: string]: unknown } = {},
) {
  const { request, response, ...rest } = changes;
  return {
    startedDateTime: '2026-07-01T10:00:00.000Z',
    time: 12,
    request: { method: 'GET', url: 'https://qa.example/x', headers: [], ...request },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 2, text: '{}' },
      ...response,
    },
    ...rest,
  };
}

const coded = (coding: string) => [{ name: 'Content-Encoding', value: coding }];

async function lineOf(one: unknown): Promise<ExchangeLine> {
  const { lines } = await read(har(one));
  return lines[0] as ExchangeLine;
}

describe('a file that is no recording is told by what it is', () => {
  test.each([
    ['', 'an empty file'],
    ['  \n', 'an empty file'],
    ['PK\u0003\u0004', 'an archive that cannot be unpacked, or too large a one'],
    ['{"log":{"entries":[{"startedDateTime":"2026', 'no JSON, or JSON that was cut off'],
    ['[1,2]', 'JSON without log.entries'],
    ['{"log":{"entries":{}}}', 'JSON without log.entries'],
    ['null', 'JSON without log.entries'],
    ['{"type":"exchange","id":"x1"', 'no line that can be read'],
  ])('%j', async (content, got) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'BAD_RECORDING',
      exitCode: 2,
      message: expect.stringContaining(`got ${got}.`) as string,
    });
  });

  test('a folder or nothing', async () => {
    await expect(readRecording(folder)).rejects.toThrow('got a folder.');
    await expect(readRecording(join(folder, 'nowhere'))).rejects.toThrow('no such file');
  });
});

test('a byte order mark is no fault', async () => {
  expect((await read(`\uFEFF${JSON.stringify(har(entry()))}`)).lines).toHaveLength(1);
});

describe('entries that say nothing of a deployment are left out and counted', () => {
  test.each<[why: string, one: unknown]>([
    ['unreadable entries', 7],
    ['unreadable entries', entry({ response: { status: 'ok' } })],
    ['entries without a start time', { request: {} }],
    ['entries without a start time', entry({ startedDateTime: 'yesterday' })],
    ['requests without an address', entry({ request: { url: 'nonsense' } })],
    ['answers from the cache of the client', entry({ _fromCache: 'disk' })],
    ['answers from the cache of the client', entry({ response: { fromCache: true } })],
    [
      'answers recorded without headers',
      entry({
        request: { url: 'https://qa.example/extPartner/api/webcheckin/requests' },
        response: { headers: [] },
      }),
    ],
    [
      'answers that the client had asked to leave out (304)',
      entry({ request: { headers: [{ name: 'If-None-Match', value: '"1"' }] }, response: { status: 304 } }),
    ],
    [
      'redirects that the client made up',
      entry({ response: { status: 307, headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] } }),
    ],
  ])('%s', async (why, one) => {
    const { lines, leftOut, isOwn } = await read(har(one, entry()));
    expect([lines.length, [...leftOut], isOwn]).toEqual([1, [[why, 1]], false]);
  });
});

test('a callback stays, whatever was recorded of its answer', async () => {
  const request = { method: 'POST', url: 'https://partner.example/hook' };
  const { lines } = await read(har(entry({ request, response: { status: 204, headers: [] } })));
  expect(lines).toHaveLength(1);
});

test('what cannot be read of a journal is counted, with its first line, wherever it stands', async () => {
  const line = JSON.stringify({ type: 'event', at: '2026-07-01T10:00:00.000Z', name: 'x', data: {} });
  const { lines, leftOut } = await read(['node:1234 a warning', line, '{"type":"exchange"', line].join('\n'));
  expect([lines.length, [...leftOut]]).toEqual([2, [['unreadable lines, the first of them line 1', 2]]]);
});

test('a request that a browser wrote down before it knew its headers is left out', async () => {
  const whole = entry({
    request: {
      headers: [
        { name: 'Host', value: 'qa.example' },
        { name: 'X-API-Key', value: 'k' },
      ],
    },
  });
  const { lines, leftOut } = await read(har(whole, entry()));
  expect([lines.length, [...leftOut]]).toEqual([1, [['requests recorded without all of their headers', 1]]]);
});

describe('what a recorder did not keep is not taken for empty', () => {
  test.each<[what: string, response: object, truncated: boolean]>([
    ['contents that were not kept', { content: { size: 40 } }, true],
    ['contents of unknown size', { content: {} }, true],
    ['contents that were cut', { content: { size: 40, text: '{"a":' } }, true],
    ['an empty body', { content: { size: 0 }, bodySize: 0 }, false],
    ['an empty text', { content: { size: 0, text: '' } }, false],
    ['204', { status: 204, content: {} }, false],
    ['content-length 0', { headers: [{ name: 'Content-Length', value: '0' }], content: {} }, false],
    [
      'a text left out',
      { headers: [{ name: 'Content-Length', value: '40' }], content: { size: 0, text: '' } },
      true,
    ],
    ['the size of a body without its text', { content: { size: 0, text: '' }, bodySize: 40 }, true],
    [
      'a body that is still compressed',
      { headers: coded('br'), content: { text: '\u0015\uFFFD\u0001', size: 3 } },
      true,
    ],
    [
      'bytes of another coding',
      { headers: coded('br'), content: { text: 'gf/+', encoding: 'base64' } },
      true,
    ],
    ['a size that was counted in other ways', { content: { size: 1, text: '{}' } }, false],
  ])('%s', async (_, response, truncated) => {
    expect((await lineOf(entry({ response }))).response?.truncated).toBe(truncated);
  });

  test('an answer that never came is a failure, and not an answer', async () => {
    const line = await lineOf(entry({ response: { status: 0, _error: 'net::ERR_FAILED' } }));
    expect([line.response, line.failure?.message]).toEqual([null, 'net::ERR_FAILED']);
  });

  test('an exchange of unknown duration may have ended much later', async () => {
    expect((await lineOf(entry({ time: -1 }))).durationMs).toBe(60_000);
  });
});

test('pseudo headers of HTTP/2 are none, and bytes come back from base64', async () => {
  const line = await lineOf(
    entry({
      request: {
        headers: [
          { name: ':method', value: 'GET' },
          { name: 'x-api-key', value: 'k' },
        ],
      },
      response: { content: { text: '/9j/', encoding: 'base64', size: 3 } },
    }),
  );
  expect(line.request.headers).toEqual([['x-api-key', 'k']]);
  expect(line.response).toMatchObject({ body: { base64: '/9j/' }, truncated: false });
});

test('members named like those of objects do no harm', async () => {
  const text = JSON.stringify(har(entry())).replace(
    '{"log"',
    '{"__proto__":{"polluted":1},"constructor":{},"log"',
  );
  expect((await read(text)).lines).toHaveLength(1);
  expect(Object.prototype).not.toHaveProperty('polluted');
});

test.each<[how: string, response: object]>([
  ['compressed', { headers: coded('br'), content: base64(brotliCompressSync(json)) }],
  ['compressed with gzip', { headers: coded('gzip'), content: base64(gzipSync(json)) }],
  ['decoded under the old header', { headers: coded('gzip'), content: base64(json) }],
  ['in base64 that is not declared', { content: { text: json.toString('base64') } }],
])('a body that is recorded %s is read', async (_, response) => {
  const body = (await lineOf(entry({ response }))).response?.body ?? { text: '' };
  expect('text' in body ? body.text : Buffer.from(body.base64, 'base64').toString()).toBe(String(json));
});

test('base64 that a server really sent stays as it is', async () => {
  const text = json.toString('base64');
  const headers = [{ name: 'content-length', value: String(text.length) }];
  expect((await lineOf(entry({ response: { headers, content: { text } } }))).response?.body).toEqual({
    text,
  });
});

test.each([
  ['https://qa.example:443/x', []],
  ['HTTPS://QA.example/x', []],
  ['https://qa.example/x?a=%201', [{ name: 'a', value: ' 1' }]],
  ['https://qa.example/x', [{ name: 'a', value: ' 1' }]],
])('%s is one origin, and its query stands in one place', async (url, queryString) => {
  const line = await lineOf(entry({ request: { url, queryString } }));
  expect(line.request.url).toBe(`https://qa.example/x${queryString.length > 0 ? '?a=%201' : ''}`);
});

test('a header without a name takes no other with it', async () => {
  const headers = [{ value: 'x' }, { name: 'x-api-key', value: 'k' }];
  expect((await lineOf(entry({ request: { headers } }))).request.headers).toEqual([['x-api-key', 'k']]);
});

describe('a recording may be packed, and in UTF-16', () => {
  const text = JSON.stringify(har(entry()));
  test.each<[form: string, bytes: Uint8Array]>([
    ['gzip', gzipSync(text)],
    ['a zip', zipSync({ 'export/traffic.har': Buffer.from(text), '__MACOSX/traffic.har': Buffer.from('x') })],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ])('%s', async (_, bytes) => {
    expect((await readBytes(bytes)).lines).toHaveLength(1);
  });

  test.each<[got: string, bytes: Uint8Array]>([
    ['a zip without a .har, .ndjson or .json file', zipSync({ 'a.txt': Buffer.from(text) })],
    ['a zip of 2 recordings', zipSync({ 'a.har': Buffer.from(text), 'b.har': Buffer.from(text) })],
    ['an archive that cannot be unpacked, or too large a one', gzipSync(text).subarray(0, 30)],
  ])('%s is refused', async (got, bytes) => {
    await expect(readBytes(bytes)).rejects.toThrow(`got ${got}.`);
  });
});

test('Playwright packs each body as a file of its own', async () => {
  const sent = { method: 'POST', postData: { mimeType: 'application/json', _file: 'a1.json' } };
  const one = entry({ request: sent, response: { content: { size: json.length, _file: 'b2.json' } } });
  const files = { 'har.har': Buffer.from(JSON.stringify(har(one))), 'a1.json': Buffer.from('{"a":1}') };
  const { lines } = await readBytes(zipSync({ ...files, 'b2.json': json }));
  expect(lines).toMatchObject([
    {
      request: { body: { text: '{"a":1}' } },
      response: { body: { text: json.toString() }, truncated: false },
    },
  ]);
});

test('a short text of which a recorder counted the compressed bytes is whole', async () => {
  const headers = [{ name: 'content-encoding', value: 'gzip' }];
  const line = await lineOf(
    entry({ response: { headers, content: { size: 22, compression: -20, text: '{}' } } }),
  );
  expect(line.response?.truncated).toBe(false);
});
