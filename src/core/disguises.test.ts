import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from './redact.ts';

const key = 'gk_live_GhcIWnrfKLU1jRl5830DZHdduU6rV8ci';
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const hex = (text: string) => Buffer.from(text).toString('hex');
const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');
const two = (code: number) => code.toString(16).padStart(2, '0');

const forms: readonly (readonly [what: string, write: (secret: string) => string])[] = [
  ['in small letters', (secret) => secret.toLowerCase()],
  ['in capitals', (secret) => secret.toUpperCase()],
  ['in hexadecimal', hex],
  ['in hexadecimal, in capitals', (secret) => hex(secret).toUpperCase()],
  ['in base64', (secret) => Buffer.from(secret).toString('base64')],
  ['in base64 for URLs', (secret) => Buffer.from(secret).toString('base64url')],
  ['in base64 without its end', (secret) => Buffer.from(secret.slice(0, -1)).toString('base64')],
  ['in base64 without its beginning', (secret) => Buffer.from(secret.slice(4)).toString('base64')],
  [
    'in base64 with a character more in front',
    (secret) => Buffer.from(`7${secret.slice(0, -3)}`).toString('base64url'),
  ],
  ['without its beginning', (secret) => secret.slice(8)],
  ['without its end', (secret) => secret.slice(0, -1)],
  ['with its last character changed', (secret) => `${secret.slice(0, -1)}7`],
  ['with each byte as a percent code', (secret) => each(secret, (code) => `%${two(code)}`)],
  ['the same twice', (secret) => each(secret, (code) => `%25${two(code).toUpperCase()}`)],
  ['with each character as a JSON escape', (secret) => each(secret, (code) => String.raw`\u00${two(code)}`)],
  ['in JSON in JSON', (secret) => each(secret, (code) => String.raw`\\u00${two(code)}`)],
  ['as entities', (secret) => each(secret, (code) => `&#${code};`)],
  ['as hexadecimal entities', (secret) => each(secret, (code) => `&#x${two(code)};`)],
  [
    'with half of it as codes',
    (secret) => secret.slice(0, 20) + each(secret.slice(20), (code) => `%${two(code)}`),
  ],
];

test.each(forms)('a key that is guarded is found %s', (_what, write) => {
  for (const secret of [key, uuid]) {
    const redactor = new Redactor();
    redactor.guard(secret, 'key');
    const line = redactor.redact(JSON.stringify({ note: 'x' }).replace('x', `before ${write(secret)} after`));
    expect(line).toContain('‹key›');
    expect(line).toMatch(/^\{"note":"before .* after"\}$/);
    // At most a few characters of it are left.
    expect(line.replace('‹key›', '').length).toBeLessThan(40);
  }
});

test('evidence without a key stays as it is', () => {
  const redactor = new Redactor();
  redactor.guard(key, 'key');
  redactor.guard(uuid, 'other');
  const text =
    '{"url":"/a?b=%41%42c","id":"c1-4f3a2b1c-9d8e","note":"gk_live_ is how keys begin; \\u0041&#65;","bytes":[103,107,95,108,105,118,101,95,71,104,99,73,95,95],"mac":"67:6b:5f:6c:69:76:65:5f:47:68:63:49:5f:5f"}';
  expect(redactor.redact(text)).toBe(text);
});

test('a long row of the same takes time by its length only', () => {
  const redactor = new Redactor();
  redactor.guard(key, 'key');
  for (const part of [' ', 'a ', '"', 'a%20', String.raw`a\u200b`, '\\', '%25', 'a&', '103,', '67:', 'd'])
    expect(redactor.redact(part.repeat(200_000))).toHaveLength(part.length * 200_000);
});

test('a word of pieces of a key by the thousand is replaced whole, in time by its length only', () => {
  const redactor = new Redactor();
  redactor.guard(key, 'key');
  for (const piece of [key.slice(0, -1), `${key}_`, `${key.slice(8, 24)}-`])
    expect(redactor.redact(`a ${piece.repeat(50_000)} b ${key}`)).toBe('a ‹key› b ‹key›');
});

test('what is found among escapes is replaced in its place, whatever stands around it', () => {
  const around = fc.string({
    unit: fc.constantFrom('%', '4', '1', '\\', 'u', '0', '&', '#', ';', ' ', 'é', '{'),
  });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const redactor = new Redactor();
      redactor.guard(key, 'key');
      const told = redactor.redact(`${before} ${each(key, (code) => `%${two(code)}`)} ${after}`);
      expect(told).toBe(`${before} ‹key› ${after}`);
    }),
  );
});
