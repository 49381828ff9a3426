import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { sentMembers, sentParts } from './sentParts.ts';

const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;

function request(body: string, type = 'multipart/form-data; boundary=b') {
  return exchange({ operation: 'wci.update', sentRaw: body, requestHeaders: [['Content-Type', type]] })
    .request;
}

test('named parts are JSON, others texts, also in quotes, and files are left out', () => {
  const file = part('scan', '\u0000\r\n', '; filename="a.png"');
  const sent = request(`${part('checkin_id', '"chk"')}${part('passengers', '[{"a":"é"}]')}${file}--b--\r\n`);
  expect(sentMembers(sent)).toEqual({ checkin_id: 'chk', passengers: [{ a: 'é' }] });
});

test('the form is that of the parts and files, whatever they say', () => {
  const form = (text: string, more?: string) =>
    sentParts(request(`${part('pnr', text, more)}--b--\r\n`))?.form;
  expect(form('ABC123')).toBe(form('XYZ789'));
  expect(form('"ABC123"')).not.toBe(form('ABC123'));
  expect(form('one', '; filename="a"')).not.toBe(form('two', '; filename="a"'));
});

test.each([
  ['another boundary than the header names', `${part('pnr', 'A')}--b--`, 'multipart/form-data; boundary=c'],
  ['no end', part('pnr', 'A')],
  ['a part twice', `${part('pnr', 'A')}${part('pnr', 'B')}--b--`],
  ['a named part that is no JSON', `${part('passengers', '[')}--b--`],
  ['no name', '--b\r\nContent-Type: text/plain\r\n\r\nA\r\n--b--'],
  ['another type', `${part('pnr', 'A')}--b--`, 'application/octet-stream'],
])('a body with %s is not read', (_, body, type?: string) => {
  expect(sentMembers(request(body, type))).toBeNull();
});
