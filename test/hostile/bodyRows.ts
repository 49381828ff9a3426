import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { bomb } from './bomb.ts';
import { answer } from '../support/hostileServer.ts';
import { raw, shaped, headersOf, sentKeys, type Group, type HostileRow } from './row.ts';

const json = { 'Content-Type': 'application/json' };
const page = { page: 0, limit: 1, total: 0 };
const list = { success: true, data: [], pagination: page };
const empty = JSON.stringify(list);

/** What is large is made when its server is opened: a row that runs alone is not to hold what belongs to the others. */
type Body = string | Uint8Array | (() => string | Uint8Array);
type Row = readonly [name: string, head: Readonly<Record<string, string>>, body: Body];

const blank = (mebibytes: number) => Buffer.alloc(mebibytes << 20, ' ');

const coded = (coding: string) => ({ ...json, 'Content-Encoding': coding });

const encodings: readonly Row[] = [
  ['gzip that nobody asked for', coded('gzip'), gzipSync(empty)],
  ['gzip that is broken', coded('gzip'), gzipSync(empty).subarray(0, 30)],
  ['gzip that is none', coded('gzip'), empty],
  ['gzip with something behind it', coded('gzip'), Buffer.concat([gzipSync(empty), Buffer.from('more')])],
  ['gzip within gzip', coded('gzip, gzip'), gzipSync(gzipSync(empty))],
  ['a gzip bomb', coded('gzip'), () => gzipSync(blank(20))],
  ['a brotli bomb', coded('br'), () => brotliCompressSync(blank(20))],
  ['a deflate bomb', coded('deflate'), () => deflateSync(blank(20))],
  ['a gzip bomb of 1 GB, in 64 members', coded('gzip'), () => bomb(gzipSync, 1024)],
  ['deflate without its frame', coded('deflate'), deflateRawSync(empty)],
  ['brotli that is none', coded('br'), empty],
  ['fifty codings', coded(Array<string>(50).fill('gzip').join(', ')), empty],
  ['an unknown coding', coded('rot13'), empty],
  ['a bare list of 80,000 legs', json, () => JSON.stringify(Array(80_000).fill({ fid: '1' }))],
  ['bytes that are no UTF-8', json, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
  ['UTF-16', json, Buffer.from(empty, 'utf16le')],
  ['a byte order mark', json, `\uFEFF${empty}`],
  ['a character set that nobody knows', { 'Content-Type': 'application/json; charset=klingon' }, empty],
  ['lone surrogates', json, '{"success":true,"data":[],"note":"\\ud800"}'],
  ['nothing at all', {}, ''],
  ['JSON that is cut off', json, '{"success":tr'],
  ['JSON that is no object', json, 'null'],
  ['members of the prototype', json, '{"__proto__":{"success":true},"constructor":1,"data":[]}'],
  ['a member that stands there twice', json, '{"success":true,"success":false,"data":[],"data":{}}'],
  ['comments in JSON', json, `/* a */${empty}`],
  ['a number beyond all', json, '{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":1e999}}'],
  [
    'a number of many digits',
    json,
    `{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":${'1'.repeat(5000)}.${'0'.repeat(5000)}}}`,
  ],
  [
    'members of the prototype, one within another',
    json,
    `${'{"__proto__":'.repeat(1000)}{}${'}'.repeat(1000)}`,
  ],
  [
    'line separators and direction marks',
    json,
    '{"success":true,"data":[],"note":"\u2028\u2029\u202e\u200b\ufeff"}',
  ],
  ['JSON after JSON', json, `${empty}${empty}`],
  ['HTML with 200', { 'Content-Type': 'text/html' }, '<h1>Welcome</h1>'],
];

const sizes: readonly Row[] = [
  ['very deep JSON', json, () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['very deep objects', json, () => '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ['a list of a million', json, () => JSON.stringify({ ...list, data: Array<number>(1_000_000).fill(0) })],
  [
    'a hundred thousand members',
    json,
    () =>
      JSON.stringify({
        ...list,
        ...Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, index])),
      }),
  ],
  ['a name of 1 MB', json, () => JSON.stringify({ ...list, ['n'.repeat(1 << 20)]: 1 })],
  [
    'a number of 1 MB',
    json,
    () => `{"success":true,"data":[],"pagination":{"total":${'9'.repeat(1 << 20)}}}`,
  ],
  [
    '400 kB of blanks in each text',
    json,
    () => {
      const long = ' '.repeat(400_000);
      return JSON.stringify({ success: long, error: long, message: `${long}x`, data: [{ status: long }] });
    },
  ],
  ['a text of 3 MB', json, () => JSON.stringify({ ...list, message: 'm'.repeat(3 << 20) })],
  [
    'names of 1,000 characters by the thousand',
    json,
    () =>
      JSON.stringify({
        ...list,
        ...Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`${index}${'n'.repeat(1000)}`, 1])),
      }),
  ],
  ['cookies of 10 kB', { ...json, 'Set-Cookie': 'c'.repeat(10_000) }, empty],
];

/** As large as the default limit lets through, and made of as many parts as fit. */
const fullSizes: readonly Row[] = [
  [
    '2 MiB of numbers in a list',
    json,
    () => JSON.stringify({ ...list, data: Array<number>(1_000_000).fill(0) }),
  ],
  ['2 MiB of empty legs', json, () => `[${'{},'.repeat(650_000)}{}]`],
  ['2 MiB of lists within lists', json, () => '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
  ['2 MiB of objects within objects', json, () => '{"a":'.repeat(340_000) + '1' + '}'.repeat(340_000)],
  [
    '2 MiB of members',
    json,
    () =>
      JSON.stringify({
        ...list,
        ...Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`m${index}`, index])),
      }),
  ],
  ['a name of 2 MB', json, () => JSON.stringify({ ...list, ['n'.repeat(2_000_000)]: 1 })],
  [
    'a number of 2 MB',
    json,
    () => `{"success":true,"data":[],"pagination":{"total":${'9'.repeat(2_000_000)}}}`,
  ],
  [
    '2 MiB of names of 1,000 characters',
    json,
    () =>
      JSON.stringify({
        ...list,
        ...Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${index}${'n'.repeat(1000)}`, 1])),
      }),
  ],
  [
    '2 MiB of blanks in the texts',
    json,
    () => {
      const long = ' '.repeat(500_000);
      return JSON.stringify({ success: long, error: long, message: `${long}x`, data: [{ status: long }] });
    },
  ],
  [
    '2 MiB of text in two-byte letters',
    json,
    () => JSON.stringify({ ...list, message: 'я'.repeat(1_000_000) }),
  ],
];

const hex = (text: string) => Buffer.from(text).toString('hex');
const codes = (text: string, write: (code: string) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

/** Ways to show a key that was sent. */
export const echoes: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  'in small letters': (key) => key.toLowerCase(),
  'in capitals': (key) => key.toUpperCase(),
  'in hexadecimal': hex,
  'in base64': (key) => Buffer.from(key).toString('base64'),
  'in base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
  'in percent codes': (key) => codes(key, (code) => `%${code}`),
  'in percent codes, twice': (key) => codes(key, (code) => `%25${code}`),
  'in JSON escapes': (key) => codes(key, (code) => `\\u00${code}`),
  'as HTML entities': (key) => codes(key, (code) => `&#x${code};`),
  'without its prefix': (key) => key.slice(8),
  'without its last character': (key) => key.slice(0, -1),
};

const echoRows = Object.entries(echoes).map(([name, write]): HostileRow => ({
  group: 'key echoes',
  name: `the key ${name}`,
  end: 'any',
  open: shaped(async (response, request) => {
    const echo = write(request.headers.get('x-api-key') ?? 'none');
    const text = (await response.text()).replace(
      /^\{/,
      `{"note":${name === 'in JSON escapes' ? `"${echo}"` : JSON.stringify(echo)},`,
    );
    const headers = headersOf(response);
    headers.set('x-echo', encodeURI(echo).slice(0, 500));
    return new Response(text, { status: response.status, headers });
  }),
}));

const strangers = sentKeys.slice(0, 1).flatMap((key): readonly HostileRow[] => [
  {
    group: 'key echoes',
    name: 'the key on a page of a firewall',
    end: 'lost',
    open: raw((socket) =>
      socket.write(answer('403 Forbidden', { 'Content-Type': 'text/html' }, `<p>${key} may not</p>`)),
    ),
  },
  {
    group: 'key echoes',
    name: 'the key in the reason of its status',
    end: 'lost',
    open: raw((socket) => socket.write(answer(`403 ${key}`, {}, 'no'))),
  },
  {
    group: 'key echoes',
    name: 'the key in a cookie',
    end: 'any',
    open: raw((socket) => socket.write(answer('200 OK', { ...json, 'Set-Cookie': `k=${key}` }, empty))),
  },
]);

function rowsOf(group: Group, rows: readonly Row[]): readonly HostileRow[] {
  return rows.map(([name, head, body]) => ({
    ...{ group, name, end: 'any' as const },
    open: () => {
      const bytes = answer('200 OK', head, typeof body === 'function' ? body() : body);
      return raw((socket) => socket.write(bytes))();
    },
  }));
}

/** Bodies that are no answers, too large, or tell a key. */
export const bodyRows: readonly HostileRow[] = [
  ...rowsOf('encodings', encodings),
  ...rowsOf('sizes', sizes),
  ...rowsOf('sizes', fullSizes),
  ...echoRows,
  ...strangers,
];
