import { expect, test } from 'vitest';
import type { Config } from './configSchema.ts';
import { problemsError } from './problem.ts';
import { noConfig, readConfig } from './readConfig.ts';
import { readFlags, readVariables, type RawValue } from './readText.ts';
import { rowsOf } from './row.ts';
import { resolveSettings, normalizeSettings } from './settings.ts';
import { settingsTable } from './table.ts';

const rows = rowsOf(settingsTable);

type Raw = Readonly<Record<string, RawValue>>;
/** Merges options, environment and a config file. */
function settle(raw: Raw, env: Record<string, string> = {}, config?: Config) {
  const place = { folder: '/work', env };
  const sources = {
    flags: readFlags(rows, (flag) => raw[flag.split(' ', 1)[0] ?? ''], place),
    environment: readVariables(rows, place),
    config: config === undefined ? noConfig : readConfig(config, '/project/gatecheck.config.json', place),
  };
  return normalizeSettings(sources, () => 7);
}
const keys = { GATECHECK_KEYS_PRIMARY: 'p1' };

test('every default is set', () => {
  expect(settle({})).toMatchInlineSnapshot(`
    {
      "apis": [
        "webcheckin",
        "flight-alerts",
      ],
      "baseline": null,
      "baselineReason": null,
      "budgets": {
        "maxDurationMs": null,
        "maxQuota": null,
        "maxRequests": null,
        "maxSubscriptions": null,
      },
      "explore": "off",
      "flights": [],
      "fresh": false,
      "http": {
        "clientCert": null,
        "clientKey": null,
        "connectTimeoutMs": 10000,
        "extraCa": null,
        "headers": {},
        "maxBodyBytes": 2097152,
        "proxy": null,
        "responseTimeoutMs": 30000,
      },
      "itineraries": {
        "domestic": null,
        "international": null,
        "twoLeg": null,
        "unsupportedAirline": null,
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
      "name": null,
      "only": [],
      "openPoints": {},
      "profile": "standard",
      "readOnly": false,
      "reportDir": null,
      "require": [],
      "seed": 7,
      "shard": null,
      "share": 1,
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
      "updateBaseline": false,
      "watchMs": null,
    }
  `);
});

test('a name for the reports stands in the file, and is no longer than a heading', () => {
  expect(settle({}, keys, { target: 'embedded', name: ' Example Airways QA ' }).name).toBe(
    'Example Airways QA',
  );
  expect(() => settle({}, keys, { target: 'embedded', name: 'x'.repeat(101) })).toThrow(
    /^(?!.*for these keys)/,
  );
});

test('the command line wins over the environment, and the environment over the file', () => {
  const config: Config = { profile: 'full', seed: 1, image: 'a' };
  const fromFile = settle({}, keys, config);
  expect([fromFile.profile, fromFile.seed, fromFile.target.kind]).toEqual(['full', 1, 'image']);
  const fromEnv = settle({}, { ...keys, GATECHECK_TARGET: 'https://qa.example.com/' }, config);
  expect(fromEnv.target).toMatchObject({ baseUrls: { webcheckin: 'https://qa.example.com' } });
  const fromLine = settle(
    { '--target': 'http://127.0.0.1:1/x', '--seed': '2' },
    { ...keys, GATECHECK_TARGET: 'https://qa' },
    config,
  );
  expect(fromLine.target).toMatchObject({ baseUrls: { 'flight-alerts': 'http://127.0.0.1:1/x' } });
  expect(fromLine.seed).toBe(2);
});

test('a source that leaves a field of a group out does not hide an earlier one', () => {
  const config: Config = { sink: { publicUrl: 'https://sink.example.com' }, budgets: { maxQuota: 5 } };
  const { sink, budgets } = settle(
    { '--target': 'embedded', '--sink-listen': '0.0.0.0:9000', '--max-requests': '10' },
    {},
    config,
  );
  expect(sink).toMatchObject({
    publicUrl: 'https://sink.example.com',
    listen: { host: '0.0.0.0', port: 9000 },
  });
  expect(budgets).toMatchObject({ maxQuota: 5, maxRequests: 10, maxDurationMs: null });
});

test('a target from the command line also replaces the hosts of the file', () => {
  const baseUrls = { webcheckin: 'https://a', 'flight-alerts': 'https://b' };
  expect(settle({}, keys, { baseUrls }).target).toMatchObject({ baseUrls });
  expect(settle({ '--target': 'https://c' }, keys, { baseUrls }).target).toMatchObject({
    baseUrls: { webcheckin: 'https://c', 'flight-alerts': 'https://c' },
  });
});

test('the word embedded undoes the target of a later source', () => {
  expect(settle({ '--target': 'embedded' }, { GATECHECK_TARGET: 'https://qa' }).target).toEqual({
    kind: 'embedded',
  });
});

test('all that is wrong is told at once', () => {
  expect(() => settle({ '--shard': '5/3', '--seed': 'x' }, { GATECHECK_SINK_LISTEN: '9000' }))
    .toThrowErrorMatchingInlineSnapshot(`
      [GatecheckError: GATECHECK_SINK_LISTEN: expected HOST:PORT, such as 127.0.0.1:0 (0 selects a free port) or [::1]:9000; got "9000"
      --seed: expected a whole number from 0 to 2147483647, such as 42; got "x"
      --shard: expected I/N with I from 1 to N, such as 1/4; got "5/3"]
    `);
});

test.each<[what: string, raw: Raw, env: Record<string, string>, message: RegExp]>([
  ['no primary key', { '--target': 'https://qa' }, {}, /GATECHECK_KEYS_PRIMARY: expected at least one/],
  ['no primary key for an image', { '--image': 'a' }, {}, /GATECHECK_KEYS_PRIMARY/],
  [
    'an empty primary key',
    { '--target': 'https://qa' },
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
    'target and image',
    { '--target': 'https://qa', '--image': 'a' },
    keys,
    /--target, --image: expected either an image or a target/,
  ],
  [
    'a state handler in clear text',
    { '--state-handler': 'http://qa/_s?t=s3cret' },
    {},
    /--state-handler: expected https/,
  ],
  ['half a certificate', { '--sink-cert': 'a.pem' }, {}, /--sink-key: expected a certificate and/],
])('%s is a usage error that shows no secret', (_what, raw, env, message) => {
  const attempt = () => settle(raw, env);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
  expect(attempt).not.toThrow(/s3cret/);
});

test('one host suffices where only one API is checked', () => {
  const one: Config = { baseUrls: { webcheckin: 'https://a' } };
  expect(settle({ '--api': 'webcheckin' }, keys, one).apis).toEqual(['webcheckin']);
  expect(() => settle({}, keys, one)).toThrow(/baseUrls.flight-alerts: expected an address/);
});

test('an image and a target in one source exclude each other', () => {
  expect(() => settle({}, keys, { image: 'a', target: 'https://qa' })).toThrow(/image: expected either/);
});

test('--image comes before the reference of the file, whose container it is started as', () => {
  const image = { reference: 'a:1', port: 9000, stateHandler: { path: '/_s' } };
  const env = { ...keys, GATECHECK_STATE_HANDLER_AUTH: 'X-Auth: t' };
  expect(settle({ '--image': 'b:2' }, env, { image }).target).toMatchObject({
    reference: 'b:2',
    container: {
      port: 9000,
      stateHandler: { port: 9000, path: '/_s', auth: { name: 'X-Auth', value: 't' } },
    },
  });
  expect(settle({ '--image': 'b:2' }, env, { image: { port: 9000 } }).target).toMatchObject({
    reference: 'b:2',
  });
});

test('what sends nothing needs neither a target nor keys', () => {
  const config = { keys: { primary: 'env:MINE', other: 'env:THEIRS' } } as const;
  const env = { CI: 'true', MINE: '', THEIRS: 'k2' };
  const { target, keys } = resolveSettings(config, { env, sendsNothing: true });
  expect([target.kind, keys.primary, keys.other]).toEqual(['embedded', [], ['k2']]);
  expect(() => resolveSettings(config, { env })).toThrow(/MINE/);
});

test('of a thousand problems, ten are named', () => {
  const problems = Array.from({ length: 1000 }, (_, index) => ({
    where: `field ${index}`,
    fault: 'expected a number',
  }));
  const lines = problemsError(problems).message.split('\n');
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe('… and 990 more');
});
