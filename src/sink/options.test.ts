import { expect, test } from 'vitest';
import { readFlags, readVariables, type RawValue } from '../settings/readText.ts';
import { problemsError } from '../settings/problem.ts';
import { fillIn, rowsOf } from '../settings/row.ts';
import { sinkTable, validateSink } from './options.ts';

type Raw = Readonly<Record<string, RawValue>>;

/** Merges options and environment. */
function readSink(raw: Raw, env: Record<string, string>) {
  const rows = rowsOf(sinkTable);
  const place = { folder: '/here', env };
  const flags = readFlags(rows, (flag) => raw[flag.split(' ', 1)[0] ?? ''], place);
  if (flags.problems.length > 0) throw problemsError(flags.problems);
  const options = fillIn(sinkTable, { ...readVariables(rows, place).given, ...flags.given });
  validateSink(options);
  return options;
}

const env = {
  AUTH: 'x-api-key: s3cret: value',
  KEY: 's3cret-callback-key',
  SECRET: 's3cret-path-secret-1',
  SHORT: 's3cret',
  EMPTY: '',
};

test('without options it listens on loopback, accepts, and has a page', () => {
  expect(readSink({}, {})).toEqual({
    listen: { host: '127.0.0.1', port: 0 },
    publicUrl: null,
    certFile: null,
    keyFile: null,
    tlsCa: null,
    pagePort: 0,
    hasPage: true,
    answer: [{ kind: 'status', status: 200 }],
    authHeader: null,
    callbackKey: null,
    pathSecret: null,
    har: null,
  });
});

test('secrets come from the environment', () => {
  const raw = {
    '--expect-auth-header': 'env:AUTH',
    '--expect-callback-key': 'env:KEY',
    '--path-secret': 'env:SECRET',
  };
  expect(readSink(raw, env)).toMatchObject({
    authHeader: { name: 'X-API-Key', value: 's3cret: value' },
    callbackKey: { name: 'Authorization', value: 's3cret-callback-key' },
    pathSecret: 's3cret-path-secret-1',
  });
});

test('the command line goes before the environment', () => {
  const variables = {
    GATECHECK_SINK_LISTEN: '127.0.0.1:1',
    GATECHECK_SINK_PUBLIC_URL: 'https://a.example.com/',
  };
  const raw = { '--sink-listen': '127.0.0.1:2', '--no-page': false };
  expect(readSink(raw, variables)).toMatchObject({
    listen: { port: 2 },
    publicUrl: 'https://a.example.com',
    hasPage: false,
  });
});

test.each<[Raw, RegExp]>([
  [
    { '--expect-auth-header': 's3cret-value' },
    /--expect-auth-header: expected the name of an environment variable/,
  ],
  [
    { '--expect-auth-header': 'env:ABSENT' },
    /expected the environment variable ABSENT to be set; it is unset or empty/,
  ],
  [{ '--expect-auth-header': 'env:EMPTY' }, /unset or empty/],
  [{ '--expect-auth-header': 'env:KEY' }, /expected an auth_header/],
  [{ '--path-secret': 'env:SHORT' }, /at least 16 characters/],
  [{ '--answer': 'maybe' }, /--answer: expected comma-separated answers/],
  [{ '--page': 'x' }, /--page: expected a whole number/],
  [{ '--sink-listen': 'x' }, /--sink-listen: expected HOST:PORT/],
  [{ '--sink-cert': 'a.pem' }, /expected both or none/],
  [
    { '--sink-cert': 'a.pem', '--sink-key': 'b.pem', '--tls-ca': 'c.pem' },
    /--sink-cert, --tls-ca: expected one of the two/,
  ],
])('%j is refused, and no secret is shown', (raw, message) => {
  const read = () => readSink(raw, env);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/s3cret/);
});
