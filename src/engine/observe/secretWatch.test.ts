import { expect, test } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { KeyRing } from '../../send/keyRing.ts';
import { SecretWatch } from './secretWatch.ts';

const keys = KeyRing.of({
  primary: ['s3cret-primary'],
  other: ['s3cret-other'],
  special: { revoked: 's3cret-revoked' },
});

function watchOf(given: { headers?: Record<string, string>; auth?: { name: string; value: string } } = {}) {
  const redactor = new Redactor();
  const stateHandler = given.auth ? { url: 'http://s', auth: given.auth } : null;
  const settings = {
    http: { headers: given.headers ?? {} },
    stateHandler,
    target: { kind: 'embedded' },
  } as unknown as Settings;
  const claims: unknown[] = [];
  const watch = new SecretWatch(redactor, keys, settings, (claimed) => claims.push(claimed));
  return { redactor, watch, claims };
}

test('keys are known from the start, and keys that came to be as soon as they did', () => {
  const { redactor, watch } = watchOf();
  expect(redactor.redact('s3cret-primary s3cret-other s3cret-revoked')).toBe(
    '‹key primary#1› ‹key other#1› ‹key revoked›',
  );
  expect(watch.adopt('fresh', ['s3cret-issued'])).toEqual([
    { label: 'issued#1', enterprise: 'fresh', value: 's3cret-issued' },
  ]);
  expect(redactor.redact('s3cret-issued')).toBe('‹key issued#1›');
});

test('a short key with a blank in it is found in altered forms too', () => {
  const { redactor, watch } = watchOf();
  const near = 's3cret-Pr imary';
  watch.expect(exchange({ operation: null, requestHeaders: [['X-API-Key', near]] }));
  const turned = Array.from(near).reverse().join('');
  const hex = Buffer.from(near).toString('hex');
  const shown = [near, near.toLowerCase(), near.toUpperCase(), turned, hex, hex.toUpperCase()];
  expect(shown.map((one) => redactor.redact(one))).toEqual(Array(6).fill('‹key primary#1›'));
});

test('headers of a gateway and of the state handler are secrets, whole and without their scheme', () => {
  const { redactor } = watchOf({
    headers: { 'X-Gateway': 'Bearer s3cret-token', 'X-Env': 'qa' },
    auth: { name: 'X-State', value: 's3cret-state' },
  });
  expect(redactor.redact('Bearer s3cret-token, s3cret-token, s3cret-state, qa')).toBe(
    '‹header X-Gateway›, ‹header X-Gateway›, ‹header X-State›, qa',
  );
});

test.each<[where: string, sketch: ExchangeSketch]>([
  [
    'the answer of a flight subscribe',
    { operation: 'fla.subscribe', body: { callbackApiKey: 's3cret-found' } },
  ],
  [
    'an answer that must not show it',
    { operation: 'fla.lookup', body: [{ callbackApiKey: 's3cret-found' }] },
  ],
  [
    'an answer that is no JSON',
    { operation: 'fla.subscribe', raw: 'oops {"callbackApiKey" : "s3cret-found"' },
  ],
  [
    'an auth_header that was sent',
    { operation: 'wci.subscribe', sent: { callbackData: { auth_header: 'X-Auth: s3cret-found' } } },
  ],
  [
    'one in a part of a multipart body',
    { operation: 'wci.update', sentRaw: '--x\r\n\r\n{"auth_header":"X-Auth:s3cret-found"}\r\n--x--' },
  ],
  ['one that an answer shows', { operation: 'wci.status', body: { auth_header: 'X-Auth: s3cret-found' } }],
  ['one without a colon', { operation: 'wci.subscribe', sent: { auth_header: 's3cret-found' } }],
])('a secret is learned from %s', (_where, sketch) => {
  const { redactor, watch } = watchOf();
  watch.observe(exchange(sketch));
  expect(redactor.redact('it is s3cret-found.')).toMatch(
    /^it is ‹(callback key #1|auth_header value #1)›\.$/,
  );
});

test.each<[what: string, sketch: ExchangeSketch, text: string]>([
  ['a short callback key', { operation: 'fla.subscribe', body: { callbackApiKey: 'abc' } }, 'abc'],
  [
    'the bare name of the tool',
    { operation: 'wci.subscribe', sent: { auth_header: 'X-Auth: gatecheck' } },
    'gatecheck',
  ],
  [
    'a callback key that is no text',
    { operation: 'fla.subscribe', body: { callbackApiKey: 12345678901 } },
    '12345678901',
  ],
])('%s spoils no evidence', (_what, sketch, text) => {
  const { redactor, watch } = watchOf();
  watch.observe(exchange(sketch));
  expect(redactor.redact(text)).toBe(text);
});

test('what a request holds is known before it is written down, and not once its answer is there', () => {
  const { redactor, watch } = watchOf();
  const body = JSON.stringify({ callbackData: { auth_header: 'Authorization: s3cret-webhook-value' } });
  const { request } = exchange({ operation: 'wci.subscribe' });
  watch.expect({ key: null, request: { ...request, body: Buffer.from(body) } });
  expect(redactor.redact('s3cret-webhook-value')).toBe('‹auth_header value #1›');
});

test.each([
  ['X-API-Key: s3cret-webhook\r\nX-Other: value', String.raw`"X-API-Key: ‹auth_header value #1\r\n…:…›"`],
  ['X-API-Key: s3cret:webhook-value', '"X-API-Key: ‹auth_header value #1:…›"'],
  ['X-API-Key: s3cret-webhook-value\n', String.raw`"X-API-Key: ‹auth_header value #1›\n"`],
  [' X-API-Key:  "s3cret-webhook-value" ', String.raw`" X-API-Key:  \"‹auth_header value #1›\" "`],
])('the label of %j hides no fault', (header, shown) => {
  const { redactor, watch } = watchOf();
  const body = JSON.stringify({ callbackData: { auth_header: header } });
  const { request } = exchange({ operation: 'wci.subscribe' });
  watch.expect({ key: null, request: { ...request, body: Buffer.from(body) } });
  expect(redactor.redact(body)).toBe(`{"callbackData":{"auth_header":${shown}}}`);
});

test('different values have different labels, and the same value keeps its own', () => {
  const { redactor, watch } = watchOf();
  for (const value of ['s3cret-first', 's3cret-second', 's3cret-first'])
    watch.observe(exchange({ operation: 'wci.subscribe', sent: { auth_header: `X-API-Key: ${value}` } }));
  expect(redactor.redact('s3cret-first s3cret-second')).toBe('‹auth_header value #1› ‹auth_header value #2›');
});

test('quotation marks around a key that was sent are not those of a JSON text that shows it', () => {
  const { redactor, watch } = watchOf();
  watch.adopt('fresh', ['s3cret-issued']);
  watch.expect(
    exchange({ operation: null, key: 'quoted', requestHeaders: [['X-API-Key', '"s3cret-issued"']] }),
  );
  expect(redactor.redact('{"callbackApiKey":"s3cret-issued"}')).toBe('{"callbackApiKey":"‹key issued#1›"}');
});

test('what a callback showed before its key was known is told once it is', () => {
  const { redactor, watch, claims } = watchOf();
  const label = redactor.unknown('Bearer s3cret-of-callbacks');
  watch.observe(exchange({ operation: 'fla.subscribe', body: { callbackApiKey: 's3cret-of-callbacks' } }));
  watch.observe(exchange({ operation: 'fla.subscribe', body: { callbackApiKey: 's3cret-of-callbacks' } }));
  expect(claims).toEqual([{ claim: 'known-later', label, text: 'Bearer ‹callback key #1›' }]);
});
