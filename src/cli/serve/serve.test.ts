import { expect, test } from 'vitest';
import type { Defect } from '../../reference/defects.ts';
import type { DialectPoint } from '../../reference/dialects.ts';
import { keyLabels, renderBanner, renderServed } from './serve.ts';
import { defectForm, dialectForm, servedPolicy, serveTable } from './table.ts';
import { readFlags, readVariables } from '../../settings/readText.ts';
import { fillIn, rowsOf } from '../../settings/row.ts';

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

const dialect = dialectForm(points);

test('a dialect is chosen by name or by open point', () => {
  expect(dialect.parse('fid-length=bytes')).toEqual({ longestFid: 100 });
  expect(dialect.parse('FLA-OPN-001=utf16')).toEqual({ longestFid: 255 });
});

test('the same seed chooses the same dialect at every point', () => {
  const chosen = dialect.parse('random:3');
  expect(chosen).toEqual(dialect.parse('random:3'));
  expect(chosen).toMatchObject({ longestFid: expect.any(Number) as number });
});

test.each([
  ['fid-lenght=bytes', /did you mean 'fid-length'/],
  ['fid-length=byte', /did you mean 'bytes'/],
  ['fid-length', /one of fid-length=utf16, fid-length=bytes/],
  ['banana', /of those that --list-dialects lists/],
  ['random:x', /a seed, such as random:7/],
])('the dialect %s is refused', (text, message) => {
  expect(() => dialect.parse(text)).toThrow(message);
});

test('a defect is chosen by its id', () => {
  expect(defectForm([defect]).parse('fid-300')).toEqual(defect);
  expect(() => defectForm([defect]).parse('fid-30')).toThrow(
    /the id of a defect \(did you mean 'fid-300'\?\)/,
  );
  expect(() => defectForm([defect]).parse('x')).toThrow(/of those that --list-defects lists/);
});

test('several defects go together unless they need the same point', () => {
  const other: Defect = { ...defect, id: 'pages', policy: { emptyPages: 1 } };
  expect(servedPolicy({ dialects: [{ emptyPages: 0 }], defects: [defect, other] })).toEqual({
    longestFid: 300,
    emptyPages: 1,
  });
  expect(() => servedPolicy({ dialects: [], defects: [defect, { ...defect, id: 'fid-400' }] })).toThrow(
    /--defect: expected defects at different points; got fid-300 and fid-400 at the same/,
  );
  const three = ['fid-300', 'fid-400', 'fid-500'].map((id) => ({ ...defect, id }));
  expect(() => servedPolicy({ dialects: [], defects: three })).toThrow(
    /got fid-300, fid-400 and fid-500 at the same$/,
  );
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
  const rows = rowsOf(serveTable);
  const place = { folder: '/', env };
  const flags = readFlags(rows, (flag) => (flag === '--port <n>' ? '0' : undefined), place);
  expect(fillIn(serveTable, { ...readVariables(rows, place).given, ...flags.given })).toEqual({
    host: '0.0.0.0',
    port: 0,
    stateHandler: true,
    dialects: [],
    defects: [],
    envFile: null,
    listDefects: false,
    listDialects: false,
    limits: { perMinute: 600, perHour: 10_000 },
    seed: 1,
    clockOffsetMs: -90_000,
  });
  const wrong = { folder: '/', env: { GATECHECK_SERVE_PORT: 'x', GATECHECK_SERVE_DIALECT: 'a=b' } };
  expect(readVariables(rows, wrong).problems.map(({ where }) => where)).toEqual([
    'GATECHECK_SERVE_PORT',
    'GATECHECK_SERVE_DIALECT',
  ]);
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
  const label = keyLabels(keys, (key) => key === 'made later');
  const seen = [keys.primary[1] ?? '', keys.revoked, 'made later', 'unheard of', null];
  expect(seen.map(label)).toEqual(['primary#2', 'revoked', 'issued key', 'unknown key', 'no key']);
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
