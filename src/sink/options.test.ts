import { expect, test } from 'vitest';
import { readSinkOptions, type RawSinkOptions } from './options.ts';

const env = {
  AUTH: 'x-api-key: s3cret: value',
  KEY: 's3cret-callback-key',
  SECRET: 's3cret-path-secret-1',
  SHORT: 's3cret',
  EMPTY: '',
};

test('without options it listens on loopback, accepts, and has a page', () => {
  expect(readSinkOptions({ page: true }, {}, '/here')).toEqual({
    listen: { host: '127.0.0.1', port: 0 },
    publicUrl: null,
    certFile: null,
    keyFile: null,
    tlsCa: null,
    page: 0,
    answer: [{ kind: 'status', status: 200 }],
    expectations: { authHeader: null, callbackKey: null },
    pathSecret: null,
    har: null,
  });
});

test('secrets come from the environment', () => {
  const raw = { expectAuthHeader: 'env:AUTH', expectCallbackKey: 'env:KEY', pathSecret: 'env:SECRET' };
  expect(readSinkOptions(raw, env, '/here')).toMatchObject({
    expectations: {
      authHeader: { name: 'X-API-Key', value: 's3cret: value' },
      callbackKey: { name: 'Authorization', value: 's3cret-callback-key' },
    },
    pathSecret: 's3cret-path-secret-1',
  });
});

test('the command line goes before the environment', () => {
  const variables = {
    GATECHECK_SINK_LISTEN: '127.0.0.1:1',
    GATECHECK_SINK_PUBLIC_URL: 'https://a.example.com/',
  };
  const raw: RawSinkOptions = { sinkListen: '127.0.0.1:2', page: false };
  expect(readSinkOptions(raw, variables, '/here')).toMatchObject({
    listen: { port: 2 },
    publicUrl: 'https://a.example.com',
    page: null,
  });
});

test.each<[RawSinkOptions, RegExp]>([
  [
    { expectAuthHeader: 's3cret-value' },
    /--expect-auth-header: expected the name of an environment variable/,
  ],
  [{ expectAuthHeader: 'env:ABSENT' }, /expected a value in the environment variable ABSENT; got none/],
  [{ expectAuthHeader: 'env:EMPTY' }, /got none/],
  [{ expectAuthHeader: 'env:KEY' }, /expected an auth_header/],
  [{ pathSecret: 'env:SHORT' }, /at least 16 characters/],
  [{ answer: 'maybe' }, /--answer: expected answers with commas/],
  [{ page: 'x' }, /--page: expected a whole number/],
  [{ sinkListen: 'x' }, /--sink-listen: expected HOST:PORT/],
  [{ sinkCert: 'a.pem' }, /expected both or none/],
  [{ sinkCert: 'a.pem', sinkKey: 'b.pem', tlsCa: 'c.pem' }, /--sink-cert, --tls-ca: expected one of the two/],
])('%j is refused, and no secret is shown', (raw, message) => {
  const read = () => readSinkOptions(raw, env, '/here');
  expect(read).toThrow(message);
  expect(read).not.toThrow(/s3cret/);
});
