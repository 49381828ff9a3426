import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { baseUrl, hostPort, target, url } from './addressForms.ts';
import { duration, offset, port, seed, shard, share } from './forms.ts';
import { readFlags, type RawValue } from './readText.ts';
import { apiKey, apiKeys, proxyUrl, redisUrl, secretHeader } from './secretForms.ts';
import { settingsTable } from './table.ts';

const profile = z.enum(['smoke', 'standard', 'full']);
const apis = settingsTable.apis.form;

/** The value of an option with this form, or the message about its text. */
function read(form: z.ZodType, text: RawValue, example?: unknown) {
  const row = { form, default: null, help: '', flag: '--it <x>', path: 'it', field: null, example } as const;
  const { given, problems } = readFlags([row], () => text, { folder: '/work', env: {} });
  return problems[0]?.fault ?? given.it;
}

test.each<[name: string, form: z.ZodType, text: RawValue, value: unknown]>([
  ['seconds', duration, '90s', 90_000],
  ['minutes', duration, '15m', 900_000],
  ['hours and minutes', duration, '1h30m', 5_400_000],
  ['milliseconds', duration, '500ms', 500],
  ['a negative offset', offset, '-90s', -90_000],
  ['no offset', offset, '0s', 0],
  ['a percentage', share, '80%', 0.8],
  ['a fraction of a percent', share, '99.5%', 0.995],
  ['a shard', shard, '2/3', { index: 2, total: 3 }],
  ['an address', hostPort, '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['an IPv6 address', hostPort, '[::1]:9000', { host: '::1', port: 9000 }],
  ['a URL without its trailing slash', baseUrl, 'https://qa.example.com/', 'https://qa.example.com'],
  ['a URL with its path prefix', baseUrl, 'http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
  ['a URL with a query', url, 'https://qa.example.com/_state?a=1', 'https://qa.example.com/_state?a=1'],
  ['a proxy with credentials', proxyUrl, 'http://u:p@proxy:3128/', 'http://u:p@proxy:3128'],
  ['the embedded target', target, 'embedded', 'embedded'],
  ['both APIs in any order', apis, 'flight-alerts, webcheckin', ['webcheckin', 'flight-alerts']],
  ['a seed', seed, '0', 0],
  ['a list in parts', z.array(z.int()), ['1,2', '3'], [1, 2, 3]],
  ['a switch in a variable', z.boolean(), 'on', true],
  ['a word', profile, 'smoke', 'smoke'],
  ['keys', apiKeys, 'a1, b2', ['a1', 'b2']],
  ['a header', secretHeader, 'Authorization: Bearer x', { name: 'Authorization', value: 'Bearer x' }],
])('%s is read', (_name, form, text, value) => {
  expect(read(form, text)).toEqual(value);
});

test.each<[form: z.ZodType, text: string]>([
  [duration, '15'],
  [duration, '0s'],
  [duration, '1d'],
  [duration, ''],
  [offset, '--1s'],
  [share, '0.8'],
  [share, '101%'],
  [shard, '0/3'],
  [shard, '4/3'],
  [hostPort, '9000'],
  [hostPort, 'localhost:70000'],
  [baseUrl, 'qa.example.com'],
  [baseUrl, 'ftp://qa.example.com'],
  [baseUrl, 'https://'],
  [baseUrl, 'https://qa.example.com?a=1'],
  [url, 'https://qa.example.com/_state?a=1#b'],
  [port, '65536'],
  [seed, '-1'],
  [seed, '1e3'],
  [apis, 'webcheckin,'],
])('%o refuses %j and says what it expects', (form, text) => {
  expect(read(form, text, 42)).toMatch(/^expected .*(such as|one of).*; got /s);
});

test('a word that is close to an accepted one gets a suggestion', () => {
  expect(read(profile, 'standart')).toBe(
    `expected one of smoke, standard, full (did you mean 'standard'?); got "standart"`,
  );
});

describe('secrets stay unseen', () => {
  test.each<[z.ZodType, string]>([
    [apiKey, 's3cret\u0000key'],
    [apiKeys, 'good,s3cret key'],
    [apiKeys, 's3cret,,b'],
    [secretHeader, 's3cret'],
    [secretHeader, 'X-Auth: s3cret\nX-Other: 1'],
    [baseUrl, 'https://user:s3cret@qa.example.com'],
    [baseUrl, 'https://user:s3/cret@qa.example.com'],
    [baseUrl, 'https://user:s3#cret@qa.example.com'],
    [baseUrl, 'https://qa.example.com/?token=s3cret'],
    [proxyUrl, 'http://user:s3cret@proxy/path'],
    [proxyUrl, 'http://user:s3%cret@proxy:3128'],
    [redisUrl, 'redis://:s3%cret@redis:6379'],
    [target, 'https://user:s3cret@qa.example.com'],
  ])('%o refuses a value without showing it', (form, text) => {
    const told = read(form, text);
    expect(told).toMatch(/^expected .*; got /s);
    expect(told).not.toMatch(/s3|cret/);
  });
});
