import { describe, expect, test } from 'vitest';
import { parseApiKey, parseApiKeys } from './apiKey.ts';
import { parseApis } from './apiList.ts';
import { parseDuration, parseOffset } from './duration.ts';
import { parseSecretHeader } from './header.ts';
import { parseHostPort } from './hostPort.ts';
import { parsePort, parseSeed } from './number.ts';
import { parseOneOf } from './oneOf.ts';
import type { Parser } from './parsed.ts';
import { parseProxyUrl } from './proxyUrl.ts';
import { parseShard } from './shard.ts';
import { parseShare } from './share.ts';
import { parseTarget } from './target.ts';
import { parseBaseUrl, parseUrl } from './url.ts';

const profile = parseOneOf(['smoke', 'standard', 'full']);

test.each<[name: string, parse: Parser<unknown>, text: string, value: unknown]>([
  ['seconds', parseDuration, '90s', 90_000],
  ['minutes', parseDuration, '15m', 900_000],
  ['hours and minutes', parseDuration, '1h30m', 5_400_000],
  ['milliseconds', parseDuration, '500ms', 500],
  ['a negative offset', parseOffset, '-90s', -90_000],
  ['no offset', parseOffset, '0s', 0],
  ['a percentage', parseShare, '80%', 0.8],
  ['a fraction of a percent', parseShare, '99.5%', 0.995],
  ['a shard', parseShard, '2/3', { index: 2, total: 3 }],
  ['an address', parseHostPort, '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['an IPv6 address', parseHostPort, '[::1]:9000', { host: '::1', port: 9000 }],
  ['a URL without its trailing slash', parseBaseUrl, 'https://qa.example.com/', 'https://qa.example.com'],
  ['a URL with its path prefix', parseBaseUrl, 'http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
  ['a URL with a query', parseUrl, 'https://qa.example.com/_state?a=1', 'https://qa.example.com/_state?a=1'],
  ['a proxy with credentials', parseProxyUrl, 'http://u:p@proxy:3128/', 'http://u:p@proxy:3128'],
  ['the embedded target', parseTarget, 'embedded', { kind: 'embedded' }],
  ['both APIs in any order', parseApis, 'flight-alerts, webcheckin', ['webcheckin', 'flight-alerts']],
  ['a seed', parseSeed, '0', 0],
  ['a word', profile, 'smoke', 'smoke'],
  ['keys', parseApiKeys, 'a1, b2', ['a1', 'b2']],
  ['a header', parseSecretHeader, 'Authorization: Bearer x', { name: 'Authorization', value: 'Bearer x' }],
])('%s is read', (_name, parse, text, value) => {
  expect(parse(text)).toEqual({ ok: true, value });
});

test.each<[parse: Parser<unknown>, text: string]>([
  [parseDuration, '15'],
  [parseDuration, '0s'],
  [parseDuration, '1d'],
  [parseDuration, ''],
  [parseOffset, '--1s'],
  [parseShare, '0.8'],
  [parseShare, '101%'],
  [parseShard, '0/3'],
  [parseShard, '4/3'],
  [parseHostPort, '9000'],
  [parseHostPort, 'localhost:70000'],
  [parseBaseUrl, 'qa.example.com'],
  [parseBaseUrl, 'ftp://qa.example.com'],
  [parseBaseUrl, 'https://'],
  [parseBaseUrl, 'https://qa.example.com?a=1'],
  [parseUrl, 'https://qa.example.com/_state?a=1#b'],
  [parsePort, '65536'],
  [parseSeed, '-1'],
  [parseSeed, '1e3'],
  [parseApis, 'webcheckin,'],
])('%o refuses %j and says what it expects', (parse, text) => {
  expect(parse(text)).toMatchObject({ ok: false, expected: expect.stringContaining('such as') as string });
});

test('a word that is close to an accepted one gets a suggestion', () => {
  expect(profile('standart')).toMatchObject({
    expected: "one of smoke, standard, full (did you mean 'standard'?)",
  });
});

describe('secrets stay unseen', () => {
  test.each<[Parser<unknown>, string]>([
    [parseApiKey, 's3cret\u0000key'],
    [parseApiKeys, 'good,s3cret key'],
    [parseApiKeys, 's3cret,,b'],
    [parseSecretHeader, 's3cret'],
    [parseSecretHeader, 'X-Auth: s3cret\nX-Other: 1'],
    [parseBaseUrl, 'https://user:s3cret@qa.example.com'],
    [parseBaseUrl, 'https://user:s3/cret@qa.example.com'],
    [parseBaseUrl, 'https://user:s3#cret@qa.example.com'],
    [parseBaseUrl, 'https://qa.example.com/?token=s3cret'],
    [parseProxyUrl, 'http://user:s3cret@proxy/path'],
    [parseTarget, 'https://user:s3cret@qa.example.com'],
  ])('%o refuses a value without showing it', (parse, text) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toMatch(/s3|cret/);
  });
});
