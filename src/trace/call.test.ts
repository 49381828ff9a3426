import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { callOf } from './call.ts';

const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;

function sent(body: string, type = 'multipart/form-data; boundary=b') {
  return callOf(
    exchange({ operation: 'wci.update', sentRaw: body, requestHeaders: [['Content-Type', type]] }),
  );
}

test('named parts are JSON, others texts, also in quotes, and files are apart', () => {
  const file = part('scan', '\u0000\r\n--c', '; filename="a.png"');
  const call = sent(
    `${part('checkin_id', '"chk"')}${part('callbackData', 'null')}${part('passengers', '[{"a":"é"}]')}${file}--b--\r\n`,
  );
  expect(call).toMatchObject({ carrier: 'multipart' });
  expect(call?.body).toEqual({ checkin_id: 'chk', callbackData: null, passengers: [{ a: 'é' }] });
  expect(call?.parts.map(({ isQuoted }) => isQuoted)).toEqual([true, false, false, false]);
  expect(call?.files.map(({ name, content }) => [name, String(content)])).toEqual([
    ['scan', '\u0000\r\n--c'],
  ]);
});

const deep = '['.repeat(4_000) + ']'.repeat(4_000);

test.each([
  ['another boundary than the header names', `${part('pnr', 'A')}--b--`, 'multipart/form-data; boundary=c'],
  ['a boundary that goes on', `${part('pnr', 'A\r\n--bc')}--b--`],
  ['no end', part('pnr', 'A')],
  ['a part twice', `${part('pnr', 'A')}${part('pnr', 'B')}--b--`],
  ['a named part that is no JSON', `${part('passengers', '[')}--b--`],
  ['no name', '--b\r\nContent-Type: text/plain\r\n\r\nA\r\n--b--'],
  ['another type', `${part('pnr', 'A')}--b--`, 'application/octet-stream'],
  ['a list', '[]', 'application/json'],
  ['an object that is nested too deep', `{"a":${deep}}`, 'application/json'],
  ['a part that is nested too deep', `${part('passengers', deep)}--b--`],
])('a body with %s is not read', (_, body, type?: string) => {
  expect(sent(body, type)).toMatchObject({ carrier: 'unread', body: null, parts: [] });
});

test('an object is read whatever it is called, but only JSON that says so counts as that', () => {
  expect(sent('{"pnr":"A"}', 'application/json; charset=utf-8')).toMatchObject({
    ...{ carrier: 'json', body: { pnr: 'A' } },
  });
  expect(sent('{"pnr":"A"}', 'text/plain')).toMatchObject({ carrier: 'unread', body: { pnr: 'A' } });
});

test('a read has its parameters, and whatever came back', () => {
  const one = exchange({ operation: 'wci.list', query: 'page=1&page=%32&limit=5', body: [1] });
  expect(callOf(one)).toMatchObject({
    ...{ op: 'wci.list', carrier: 'query', body: null, query: { page: ['1', '2'], limit: '5' } },
    ...{ status: 200, answer: [1], enterprise: 'primary', keyState: 'active' },
  });
  expect(callOf(exchange({ operation: 'wci.list', lost: true }))).toMatchObject({
    ...{ status: null, answer: undefined },
  });
});

test('all who judge an exchange share one reading', () => {
  const one = exchange({ operation: 'wci.status' });
  expect(callOf(one)).toBe(callOf(one));
  expect(callOf(exchange({ operation: null }))).toBeNull();
});

test.each([
  ['unknown', 'unknown', [['X-API-Key', 'made up']]],
  ['revoked', 'revoked', [['X-API-Key', '‹key revoked›']]],
  ['disabled', 'disabled', [['X-API-Key', '‹key disabled›']]],
  ['unsure', 'recorded#1', [['X-API-Key', 'some key']]],
  ['unsure', 'letter case changed', [['X-API-Key', 'nearly a key']]],
  ['unsure', null, [['X-API-Key', '‹not recorded›']]],
  ['empty', 'empty', [['x-api-key', '']]],
  ['none', null, [['Accept', '*/*']]],
  ['elsewhere', null, [['Authorization', 'some key']]],
] as const)('the key is %s where it is called %s', (state, key, requestHeaders) => {
  const one = exchange({ operation: 'wci.list', enterprise: null, key, requestHeaders });
  expect(callOf(one)?.keyState).toBe(state);
});
