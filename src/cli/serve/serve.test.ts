import { expect, test } from 'vitest';
import type { Defect } from '../../reference/defects.ts';
import type { DialectPoint } from '../../reference/dialects.ts';
import { renderBanner } from './banner.ts';
import { keyLabels } from './keyLabels.ts';
import { renderServed } from './log.ts';
import { readServeOptions } from './options.ts';
import { parseDefect, parseDialect } from './policy.ts';

const points: readonly DialectPoint[] = [
  {
    name: 'fid-length',
    openPoint: 'FLA-OPN-001',
    variants: { utf16: { longestFid: 255 }, bytes: { longestFid: 100 } },
  },
  {
    name: 'lead-time',
    openPoint: 'WCI-OPN-001',
    variants: { strict: { emptyPages: 0 }, lax: { emptyPages: 1 } },
  },
];
const defect: Defect = {
  id: 'fid-300',
  api: 'flight-alerts',
  breaks: 'fid is at most 255 characters',
  policy: { longestFid: 300 },
  kills: [],
  alsoFail: [],
  conditional: false,
};

const keys = {
  primary: ['p1', 'p2', ...Array.from({ length: 30 }, (_, index) => `more${index}`)],
  other: ['o1'],
  revoked: 'r',
  disabled: 'd',
  noEntitlement: 'n',
  suspended: 's',
  exhausted: 'e',
};

test('a dialect is chosen by name or by open point', () => {
  expect(parseDialect('fid-length=bytes', points)).toEqual({ ok: true, value: { longestFid: 100 } });
  expect(parseDialect('FLA-OPN-001=utf16', points)).toEqual({ ok: true, value: { longestFid: 255 } });
});

test('the same seed chooses the same dialect at every point', () => {
  const chosen = parseDialect('random:3', points);
  expect(chosen).toEqual(parseDialect('random:3', points));
  expect(chosen).toMatchObject({ ok: true, value: { longestFid: expect.any(Number) as number } });
});

test.each([
  ['fid-lenght=bytes', /did you mean 'fid-length'/],
  ['fid-length=byte', /did you mean 'bytes'/],
  ['fid-length', /one of fid-length=utf16, fid-length=bytes/],
  ['random:x', /a whole number/],
])('the dialect %s is refused', (text, expected) => {
  expect(parseDialect(text, points)).toMatchObject({
    ok: false,
    expected: expect.stringMatching(expected) as string,
  });
});

test('a defect is chosen by its id', () => {
  expect(parseDefect('fid-300', [defect])).toEqual({ ok: true, value: { longestFid: 300 } });
  expect(parseDefect('fid-30', [defect])).toMatchObject({
    expected: "the id of a defect (did you mean 'fid-300'?)",
  });
});

test('every option has a default', () => {
  expect(readServeOptions({})).toMatchInlineSnapshot(`
    {
      "clockOffsetMs": 0,
      "host": "127.0.0.1",
      "limits": {
        "perHour": 1000,
        "perMinute": 60,
      },
      "policy": {},
      "port": 8080,
      "seed": 1,
      "stateHandler": false,
    }
  `);
});

test('options come from the environment, and the command line comes before it', () => {
  const env = {
    GATECHECK_SERVE_HOST: '0.0.0.0',
    GATECHECK_SERVE_PORT: '9000',
    GATECHECK_SERVE_STATE_HANDLER: 'on',
    GATECHECK_SERVE_LIMITS: '600/10000',
    GATECHECK_SERVE_SEED: '',
    GATECHECK_SERVE_CLOCK_OFFSET: '-90s',
  };
  expect(readServeOptions({ port: '0' }, env)).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    stateHandler: true,
    limits: { perMinute: 600, perHour: 10_000 },
    seed: 1,
    clockOffsetMs: -90_000,
  });
  expect(() => readServeOptions({}, { GATECHECK_SERVE_PORT: 'x', GATECHECK_SERVE_DIALECT: 'a=b' })).toThrow(
    /GATECHECK_SERVE_DIALECT: expected[^]*GATECHECK_SERVE_PORT: expected a whole number/,
  );
});

test('the banner holds the address, the keys ready to paste and a request to try', () => {
  const listening = { url: 'http://127.0.0.1:8080', stateHandlerUrl: 'http://127.0.0.1:8080/_state' };
  expect(renderBanner(listening, keys)).toMatchInlineSnapshot(`
    "Both APIs at http://127.0.0.1:8080
    State handler at http://127.0.0.1:8080/_state

    # sandbox keys by role, for another terminal; then: gatecheck run
    export GATECHECK_TARGET='http://127.0.0.1:8080'
    export GATECHECK_STATE_HANDLER='http://127.0.0.1:8080/_state'
    export GATECHECK_KEYS_PRIMARY='p1,p2,more0,more1,more2,more3,more4,more5'
    export GATECHECK_KEYS_OTHER='o1'
    export GATECHECK_KEY_REVOKED='r'
    export GATECHECK_KEY_DISABLED='d'
    export GATECHECK_KEY_NO_ENTITLEMENT='n'
    export GATECHECK_KEY_SUSPENDED='s'
    export GATECHECK_KEY_EXHAUSTED='e'

    # try it
    curl -s -H 'X-API-Key: p1' http://127.0.0.1:8080/extPartner/api/webcheckin/requests

    Ctrl-C stops it.
    "
  `);
});

test('a log line names the key by its role and cannot steer the terminal', () => {
  const label = keyLabels(keys);
  expect([label(keys.primary[1] ?? ''), label(keys.revoked), label('unheard of'), label(null)]).toEqual([
    'primary#2',
    'revoked',
    'unknown key',
    'no key',
  ]);
  const entry = {
    at: new Date(0),
    method: 'GET',
    target: '/a?b=\u001b[2J',
    key: 'primary#2',
    status: 404,
    error: 'NOT_FOUND',
    durationMs: 2.6,
  };
  expect(renderServed(entry)).toMatchInlineSnapshot(
    `"00:00:00.000  GET  /a?b=\\u001b[2J  primary#2  404 NOT_FOUND  3 ms"`,
  );
});
