import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { readOptions, type RawOptions } from '../cli/options.ts';
import { normalizeSettings } from './settings.ts';
import type { Layer, SettingsInput } from './settingsInput.ts';

const silent: Layer = { input: {}, problems: [] };
const file = (input: SettingsInput): Layer => ({ input, problems: [] });
const settle = (raw: RawOptions, env: Record<string, string> = {}, config = silent) =>
  normalizeSettings(readOptions(raw, '/work'), readEnvironment(env), config, () => 7);
const keys = { GATECHECK_KEYS_PRIMARY: 'p1' };

test('every default is set', () => {
  expect(settle({})).toMatchInlineSnapshot(`
    {
      "apis": [
        "webcheckin",
        "flight-alerts",
      ],
      "baseline": null,
      "budgets": {
        "maxDurationMs": null,
        "maxQuota": null,
        "maxRequests": null,
        "maxSubscriptions": null,
      },
      "flights": [],
      "http": {
        "connectTimeoutMs": 10000,
        "extraCa": null,
        "headers": {},
        "maxBodyBytes": 4194304,
        "proxy": null,
        "responseTimeoutMs": 30000,
      },
      "itineraries": {
        "domestic": null,
        "international": null,
        "twoLeg": null,
        "unsupportedAirline": "ZZ",
      },
      "keys": {
        "disabled": null,
        "exhausted": null,
        "noEntitlement": null,
        "other": [],
        "primary": [],
        "revoked": null,
        "suspended": null,
      },
      "limits": {
        "perHour": 1000,
        "perMinute": 60,
      },
      "minMust": null,
      "only": [],
      "openPoints": {},
      "profile": "standard",
      "readOnly": false,
      "reportDir": null,
      "require": [],
      "seed": 7,
      "shard": null,
      "sink": {
        "certFile": null,
        "keyFile": null,
        "listen": {
          "host": "127.0.0.1",
          "port": 0,
        },
        "publicUrl": null,
      },
      "stateHandler": null,
      "strict": false,
      "target": {
        "kind": "embedded",
      },
      "watchMs": null,
    }
  `);
});

test('the command line wins over the environment, and the environment over the file', () => {
  const config = file({ profile: 'full', seed: 1, target: { kind: 'image', reference: 'a' } });
  const fromFile = settle({}, keys, config);
  expect([fromFile.profile, fromFile.seed, fromFile.target.kind]).toEqual(['full', 1, 'image']);
  const fromEnv = settle({}, { ...keys, GATECHECK_TARGET: 'https://qa.example.com/' }, config);
  expect(fromEnv.target).toMatchObject({ baseUrls: { webcheckin: 'https://qa.example.com' } });
  const fromLine = settle(
    { target: 'http://127.0.0.1:1/x', seed: '2' },
    { ...keys, GATECHECK_TARGET: 'https://qa' },
    config,
  );
  expect(fromLine.target).toMatchObject({ baseUrls: { 'flight-alerts': 'http://127.0.0.1:1/x' } });
  expect(fromLine.seed).toBe(2);
});

test('a source that leaves a field of a group out does not hide an earlier one', () => {
  const config = file({ sink: { publicUrl: 'https://sink.example.com' }, budgets: { maxQuota: 5 } });
  const { sink, budgets } = settle({ sinkListen: '0.0.0.0:9000', maxRequests: '10' }, {}, config);
  expect(sink).toMatchObject({
    publicUrl: 'https://sink.example.com',
    listen: { host: '0.0.0.0', port: 9000 },
  });
  expect(budgets).toMatchObject({ maxQuota: 5, maxRequests: 10, maxDurationMs: null });
});

test('a target from the command line also replaces the hosts of the file', () => {
  const hosts = {
    kind: 'url',
    url: null,
    baseUrls: { webcheckin: 'https://a', 'flight-alerts': 'https://b' },
  } as const;
  expect(settle({}, keys, file({ target: hosts })).target).toMatchObject({ baseUrls: hosts.baseUrls });
  expect(settle({ target: 'https://c' }, keys, file({ target: hosts })).target).toMatchObject({
    baseUrls: { webcheckin: 'https://c', 'flight-alerts': 'https://c' },
  });
});

test('the word embedded undoes the target of a later source', () => {
  expect(settle({ target: 'embedded' }, { GATECHECK_TARGET: 'https://qa' }).target).toEqual({
    kind: 'embedded',
  });
});

test('all that is wrong is told at once', () => {
  expect(() => settle({ shard: '5/3', seed: 'x' }, { GATECHECK_SINK_LISTEN: '9000' }))
    .toThrowErrorMatchingInlineSnapshot(`
    [GatecheckError: GATECHECK_SINK_LISTEN: expected HOST:PORT, such as 127.0.0.1:0 (0 takes a free port) or [::1]:9000; got "9000"
    --seed: expected a whole number from 0 to 2147483647, such as 42; got "x"
    --shard: expected I/N with I from 1 to N, such as 1/4; got "5/3"]
  `);
});

test.each<[what: string, raw: RawOptions, env: Record<string, string>, message: RegExp]>([
  ['no primary key', { target: 'https://qa' }, {}, /GATECHECK_KEYS_PRIMARY: expected at least one/],
  ['no primary key for an image', { image: 'a' }, {}, /GATECHECK_KEYS_PRIMARY/],
  [
    'an empty primary key',
    { target: 'https://qa' },
    { GATECHECK_KEYS_PRIMARY: ' ' },
    /GATECHECK_KEYS_PRIMARY/,
  ],
  [
    'a key twice',
    {},
    { GATECHECK_KEYS_PRIMARY: 's3cret,b,s3cret' },
    /the same key as primary#1 and as primary#3/,
  ],
  ['a key in two roles', {}, { GATECHECK_KEYS_PRIMARY: 's3cret', GATECHECK_KEYS_OTHER: 's3cret' }, /other#1/],
  [
    'a misspelt variable',
    {},
    { GATECHECK_KEY_PRIMARY: 's3cret' },
    /expected the name GATECHECK_KEYS_PRIMARY/,
  ],
  ['target and image', { target: 'https://qa', image: 'a' }, keys, /--target, --image: expected one/],
  [
    'a state handler in clear text',
    { stateHandler: 'http://qa/_s?t=s3cret' },
    {},
    /--state-handler: expected https/,
  ],
  ['half a certificate', { sinkCert: 'a.pem' }, {}, /--sink-key: expected a certificate and/],
])('%s is a usage error that shows no secret', (_what, raw, env, message) => {
  const attempt = () => settle(raw, env);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
  expect(attempt).not.toThrow(/s3cret/);
});

test('one host suffices where only one API is checked', () => {
  const one = file({ target: { kind: 'url', url: null, baseUrls: { webcheckin: 'https://a' } } });
  expect(settle({ api: 'webcheckin' }, keys, one).apis).toEqual(['webcheckin']);
  expect(() => settle({}, keys, one)).toThrow(/baseUrls.flight-alerts: expected an address/);
});
