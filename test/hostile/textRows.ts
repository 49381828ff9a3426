import { gzipSync } from 'node:zlib';
import { answer } from '../support/hostileServer.ts';
import { headersOf, raw, sentKeys, shaped, type Group, type HostileRow } from './row.ts';
import { json, ok } from './wireAnswers.ts';

/** The answers of a right deployment with their texts changed. */
function edited(change: (text: string) => string): HostileRow['open'] {
  return shaped(async (response) => {
    const { status } = response;
    return new Response(change(await response.text()), { status, headers: headersOf(response) });
  });
}

/** Each object that is answered has one more member, of this text. */
const beside = (text: string) =>
  edited((body) => (body.startsWith('{"') ? `{"note":${JSON.stringify(text)},${body.slice(1)}` : body));
const eachText = (begin: string) => edited((body) => body.replace(/:"/g, `:"${begin}`));
const eachNumber = (number: string) =>
  edited((body) => body.replace(/:-?\d+(?:\.\d+)?(?=[,}])/g, `:${number}`));
const eachTime = (time: string) => edited((body) => body.replace(/"\d{4}-\d\d-\d\d[T ][^"]*"/g, `"${time}"`));

const [key = ''] = sentKeys;
const entities = Array.from(key, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join('');

/** Texts that a search for keys, a comparison or a report might take long over. */
const texts: Readonly<Record<string, string>> = {
  'a word of 1 MB': 'w'.repeat(1 << 20),
  'a key but its last letter, as entities, by the thousand': entities.slice(0, -6).repeat(3000),
  'a key but its last letter, by the thousand': key.slice(0, -1).repeat(15_000),
  'percent codes of percent codes': '%2525'.repeat(150_000),
  'half a million backslashes': '\\'.repeat(400_000),
  'half a million accents on one letter': `a${'\u0301'.repeat(400_000)}`,
  'half a million line ends': '\n'.repeat(500_000),
  'commands of CI systems': '\n::error::x\n##vso[task.complete result=Failed;]'.repeat(10_000),
  'ends of everything': ']]>-->*/</script></textarea>"\'`'.repeat(20_000),
};

const names = 'hasOwnProperty toJSON then toString valueOf constructor'.split(' ');
const strange = names.map((name) => `"${name}":null,`).join('');

const changes: Readonly<Record<string, HostileRow['open']>> = {
  'NUL in each text': eachText('\\u0000'),
  'half a surrogate in each text': eachText('\\ud800'),
  'each number is 1e999': eachNumber('1e999'),
  'each number is -0': eachNumber('-0'),
  'each number is 9007199254740993': eachNumber('9007199254740993'),
  'each time is in the year 275761': eachTime('+275761-01-01T00:00:00.000Z'),
  'each time is before the year 0': eachTime('-271822-01-01T00:00:00.000Z'),
  'each time is a leap second': eachTime('2026-12-31T23:59:60.000Z'),
  'each object hides the methods of objects': edited((body) => body.replace(/\{(?=")/g, `{${strange}`)),
  'each list is an object of a length': edited((body) =>
    body.replace(/\[[^[\]]*\]/g, '{"length":1000000000,"0":{}}'),
  ),
};

/** Every second answer is a refusal with a wait that is none. */
function refusing(retryAfter: string): HostileRow['open'] {
  let count = 0;
  const body = `{"success":false,"error":"RATE_LIMITED","message":"slower","retryAfter":${retryAfter}}`;
  return shaped((response) => {
    count += 1;
    const refusal = new Response(body, { status: 429, headers: json });
    return Promise.resolve(count % 2 === 0 ? refusal : response);
  });
}

const nameless = Buffer.concat([Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(500_000, 'A')]);
const wrongSum = gzipSync('{}').map((byte, index, all) => (index === all.length - 6 ? byte ^ 255 : byte));
const coded = (body: Uint8Array) =>
  raw((socket) => socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'gzip' }, body)));

const wire: Readonly<Record<string, HostileRow['open']>> = {
  'gzip with a name that does not end': coded(nameless),
  'gzip with a wrong sum': coded(wrongSum),
  'twenty thousand interim answers': raw((socket) => {
    socket.write(Buffer.concat([Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(20_000)), ok]));
  }),
};

function rowsOf(group: Group, servers: Readonly<Record<string, HostileRow['open']>>): readonly HostileRow[] {
  return Object.entries(servers).map(([name, open]) => ({ group, name, open, end: 'any' }));
}

/** Answers of which every part is strange in the same way. */
export const textRows: readonly HostileRow[] = [
  ...rowsOf(
    'sizes',
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name} in each answer`, beside(text)])),
  ),
  ...rowsOf('steering values', changes),
  ...rowsOf(
    'rate limits',
    Object.fromEntries(
      ['"NaN"', '{"a":{"b":1}}', 'true', '"0x10"', '1e-300'].map((after) => [
        `429 to every second request, with retryAfter ${after}`,
        refusing(after),
      ]),
    ),
  ),
  ...rowsOf('encodings', wire),
];
