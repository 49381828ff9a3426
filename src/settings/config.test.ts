import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { findConfig } from './configFile.ts';
import { renderConfigTemplate } from './configTemplate.ts';
import { loadConfig, readConfig } from './readConfig.ts';
import { errorPlace } from './configFile.ts';

const read = (content: unknown, env: Record<string, string> = {}) =>
  readConfig(content, '/project/gatecheck.config.yaml', { folder: '/project', env });
const faults = (content: unknown, env: Record<string, string> = {}) =>
  read(content, env).problems.map(({ where, fault }) => `${where}: ${fault}`);

test('keys come from the environment, one or more by name', () => {
  const { given, problems } = read(
    {
      keys: { primary: 'env:QA', other: ['env:B1', 'env:B2'] },
      stateHandler: { url: 'https://a/_s', auth: 'env:AUTH' },
    },
    { QA: 'a1,a2', B1: 'b1', B2: 'b2', AUTH: 'X-Auth: t' },
  );
  expect(problems).toEqual([]);
  expect(given).toEqual({
    'keys.primary': ['a1', 'a2'],
    'keys.other': ['b1', 'b2'],
    'stateHandler.url': 'https://a/_s',
    'stateHandler.auth': { name: 'X-Auth', value: 't' },
  });
});

test('paths count from the folder of the file', () => {
  expect(read({ baseline: 'known.json', sink: { cert: 'c.pem', key: 'k.pem' } }).given).toEqual({
    baseline: '/project/known.json',
    'sink.certFile': '/project/c.pem',
    'sink.keyFile': '/project/k.pem',
  });
});

test('all errors are told at once, each with field, value, form and example', () => {
  expect(
    faults({
      target: 'qa.example.com',
      profle: 'smoke',
      seed: -1,
      apis: ['webcheckin', 'flights'],
      budgets: { maxDuration: '15', maxQuota: 'many' },
      flights: [{ flightNumber: 'LH400', departureDate: 'tomorrow' }],
      limits: { perMinute: 0 },
      strict: 'yes',
    }).join('\n'),
  ).toMatchInlineSnapshot(`
    "gatecheck.config.yaml: target: expected an http(s) address without credentials, query or fragment, such as https://qa.example.com or http://127.0.0.1:8080/api, or the word embedded (did you mean https://qa.example.com?); got "qa.example.com"
    gatecheck.config.yaml: apis[1]: expected one of webcheckin, flight-alerts; got "flights"
    gatecheck.config.yaml: seed: expected a whole number from 0 to 2147483647, such as 42; got -1
    gatecheck.config.yaml: budgets.maxQuota: expected a whole number from 0, such as 20; got "many"
    gatecheck.config.yaml: budgets.maxDuration: expected a duration with a unit, up to a week, such as 90s, 15m or 1h30m; got "15"
    gatecheck.config.yaml: strict: expected true or false; got "yes"
    gatecheck.config.yaml: flights[0].departureDate: expected a date YYYY-MM-DD or a whole number from 0 to 365, such as "2030-05-01"; got "tomorrow"
    gatecheck.config.yaml: limits.perMinute: expected a whole number from 1, such as 60; got 0
    gatecheck.config.yaml: profle: no such field (did you mean 'profile'?)"
  `);
});

test.each<[what: string, content: unknown]>([
  ['a key that stands in the file', { keys: { primary: 's3cretKey' } }],
  ['a key in a list', { keys: { other: ['env:A', 's3cretKey'] } }],
  ['a revoked key', { keys: { revoked: 's3cretKey' } }],
  ['a number as a key', { keys: { primary: 530123 } }],
  ['a key under an unknown role', { keys: { main: 's3cretKey' } }],
  ['a key beside the known fields', { apiKey: 's3cretKey' }],
  ['the header of the state handler', { stateHandler: { url: 'https://a', auth: 'X-Auth: s3cret' } }],
  ['a header that may be a secret', { http: { headers: { Authorization: 's3cret' } } }],
  [
    'a header whose value looks like a key',
    { http: { headers: { 'X-Tenant': 's3cretKey1234567890abcdef' } } },
  ],
  ['the key header itself', { http: { headers: { 'x-api-key': 'env:A' } } }],
  ['a proxy with credentials', { http: { proxy: 'http://user:s3cret@proxy' } }],
  ['a target with credentials', { target: 'https://user:s3cret@qa.example.com' }],
  ['text that looks like a key in any other place', { profile: 's3cretKey1234567890abcdef' }],
])('%s is refused and not shown', (_what, content) => {
  const found = faults(content, { A: 'a' });
  expect(found).toHaveLength(1);
  expect(found.join()).not.toMatch(/s3cret|530123/);
});

test('a variable that is unset or empty is named', () => {
  expect(faults({ keys: { primary: 'env:QA' } }, { QA: '' })).toEqual([
    'gatecheck.config.yaml: keys.primary: expected the environment variable QA to be set; it is unset or empty',
  ]);
});

test('the nearest config file upward is found, and two in one folder are refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const deep = join(root, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(root, 'gatecheck.config.json'), '{}');
  expect(findConfig(deep)).toBe(join(root, 'gatecheck.config.json'));
  writeFileSync(join(root, 'gatecheck.config.yaml'), '');
  expect(() => findConfig(deep)).toThrow(/expected one config file/);
});

test.each([
  ['json', '{ "profile": "smoke" }'],
  ['yaml', 'profile: smoke'],
  ['js', 'export default { profile: "smoke" };'],
  ['ts', 'export default { profile: "smoke" } as const;'],
])('a config file in .%s is read', async (ending, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  writeFileSync(join(folder, `gatecheck.config.${ending}`), text);
  expect((await loadConfig(undefined, { folder, env: {} })).given.profile).toBe('smoke');
});

test.each([
  ['json', '{ "keys": s3cret }'],
  ['yaml', 'keys: {s3cret'],
  ['yaml', 'a: b: s3cret'],
])('a broken .%s file is a usage error that quotes nothing of it', async (ending, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const path = join(folder, `gatecheck.config.${ending}`);
  writeFileSync(path, text);
  const error = await loadConfig(path, { folder, env: {} }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ exitCode: 2, code: 'UNREADABLE_CONFIG' });
  expect(String(error)).not.toMatch(/s3cret/);
});

test.each([
  [
    'json',
    '{\n  "target": "x",\n  "budgets": {\n    "maxQuota": "many"\n  },\n  "flights": [\n    { "flightNumber": "LH1" }\n  ],\n  "profle": "smoke"\n}\n',
  ],
  [
    'yaml',
    '# a comment\ntarget: x\nbudgets:\n    maxQuota: many\n\nflights:\n  - { flightNumber: LH1 }\n  \nprofle: smoke\n',
  ],
  [
    'ts',
    "const config = {\n  target: 'x', // { profle: 1 }\n  budgets: {\n    maxQuota: 'many' as never },\n  /* } */\n  flights: [\n    { flightNumber: `LH1` },\n  ],\n  profle: 'smoke',\n} as const;\nexport default config;\n",
  ],
])('what is wrong in a .%s file comes with its line and column', async (ending, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  writeFileSync(join(folder, `gatecheck.config.${ending}`), text);
  const { problems } = await loadConfig(undefined, { folder, env: {} });
  expect(problems.map(({ where }) => where)).toEqual([
    `gatecheck.config.${ending}:2:${ending === 'yaml' ? 1 : 3}: target`,
    `gatecheck.config.${ending}:4:5: budgets.maxQuota`,
    `gatecheck.config.${ending}:7:5: flights[0].departureDate`,
    `gatecheck.config.${ending}:9:${ending === 'yaml' ? 1 : 3}: profle`,
  ]);
});

test('a member of JSON that stands there twice is a mistake', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const text = '{\n  "seed": 1,\n  "http": { "maxBodyBytes": 1,\n    "maxBodyBytes": 2 },\n  "seed": 2\n}';
  writeFileSync(join(folder, 'gatecheck.config.json'), text);
  const { problems } = await loadConfig(undefined, { folder, env: {} });
  expect(problems.map(({ where }) => where)).toEqual([
    'gatecheck.config.json:4:5: http.maxBodyBytes',
    'gatecheck.config.json:5:3: seed',
  ]);
});

test.each([
  ['json', '{\n  "seed": 1,\n  "target": oops\n}', 3, 13],
  ['json', '{\n  "seed": 1', 2, 12],
  ['json', '{ "seed": 1 } {', 1, 15],
  ['yaml', 'seed: 1\nhttp: {\nkeys: 1\n', 3, 1],
])('a .%s file that cannot be read is told with the place: %j', async (ending, text, line, column) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-'));
  const path = join(folder, `gatecheck.config.${ending}`);
  writeFileSync(path, text);
  await expect(loadConfig(path, { folder, env: {} })).rejects.toThrow(`${path}:${line}:${column}: expected`);
});

test.each([
  ['file:///x.ts:3\n  a b\n    ^\n};\n\nSyntaxError: Unexpected token', 3, 5],
  ['ReferenceError: one is not defined\n    at file:///x.ts:2:9\n    at node:x:1:1', 2, 9],
])('an error of a module tells where it came about: %j', (stack, line, column) => {
  const error = Object.assign(new Error('x'), { stack });
  expect(errorPlace(error, 'file:///x.ts')).toEqual({ line, column });
  expect(errorPlace(error, 'file:///y.ts')).toBeNull();
});

test('an image is named by itself, or with all about its container', () => {
  expect(read({ image: 'partner:1' }).given.image).toEqual({ reference: 'partner:1', container: null });
  const { given, problems } = read(
    {
      image: {
        reference: 'partner:1',
        port: 9000,
        environment: { API_KEYS: 'env:KEYS', MODE: 'test' },
        waitFor: { http: '/health', status: 204 },
        startupTimeout: '2m',
        files: [{ source: 'app.yaml', target: '/etc/app.yaml' }],
        stateHandler: { path: '/_s', auth: 'env:AUTH' },
        dependencies: [
          { name: 'redis', reference: 'redis:7', waitFor: { log: 'Ready' } },
          { name: 'db', reference: 'db' },
        ],
      },
    },
    { KEYS: 'a1,a2', AUTH: 'X-Auth: t' },
  );
  expect(problems).toEqual([]);
  expect((given.image as { container: unknown }).container).toMatchObject({
    port: 9000,
    environment: { API_KEYS: 'a1,a2', MODE: 'test' },
    secrets: ['a1,a2'],
    waitFor: { kind: 'http', port: 9000, path: '/health', status: 204 },
    startupTimeoutMs: 120_000,
    files: [{ source: '/project/app.yaml', target: '/etc/app.yaml' }],
    stateHandler: { port: 9000, path: '/_s', auth: { name: 'X-Auth', value: 't' } },
    dependencies: [{ waitFor: { kind: 'log', text: 'Ready' } }, { waitFor: { kind: 'started' } }],
  });
});

test('what is wrong within an image is told field by field, and no secret is shown', () => {
  expect(
    faults({
      image: {
        prot: 1,
        port: 0,
        environment: { KEYS: 's3cretKey1234567890abcdef' },
        dependencies: [{ name: 'redis' }],
      },
    }).join('\n'),
  ).toMatchInlineSnapshot(`
    "gatecheck.config.yaml: image.port: expected a whole number from 1 to 65535, such as 8080; got 0
    gatecheck.config.yaml: image.environment.KEYS: expected the name of an environment variable, such as env:GATECHECK_QA_KEY, since a secret must not be written here; got other text (not shown)
    gatecheck.config.yaml: image.dependencies[0].reference: expected text that is not empty, such as "redis:7"; got nothing
    gatecheck.config.yaml: image.prot: no such field (did you mean 'port'?)"
  `);
  expect(
    faults({
      image: {
        environment: { KEYS: 's3cretKey1234567890abcdef' },
        waitFor: { http: '/', log: 'up' },
        dependencies: [{ name: 'db', reference: 'db', waitFor: { http: '/' } }],
      },
    }).join('\n'),
  ).toMatchInlineSnapshot(`
    "gatecheck.config.yaml: image.environment.KEYS: expected the name of an environment variable, such as env:GATECHECK_QA_KEY, since a secret must not be written here; got other text (not shown)
    gatecheck.config.yaml: image.dependencies[0].waitFor: expected a port together with http; got none"
  `);
});

test('every example of the template that init writes is valid', () => {
  const blocks = renderConfigTemplate().split('({\n')[1]?.split('\n});')[0]?.split('\n\n') ?? [];
  const examples = blocks.flatMap((block) => {
    const [, ...lines] = block.split('\n').map((line) => line.replace(/^ {2}\/\/ /, ''));
    return lines
      .join('\n')
      .split('\nor\n')
      .map((text) => runInNewContext(`({${text}})`) as object);
  });
  const env = Object.fromEntries(
    [...renderConfigTemplate().matchAll(/env:(\w+)/g)].map(([, name = '']) => [
      name,
      name.endsWith('AUTH') ? 'X: y' : 'a',
    ]),
  );
  const keys = { ...env, GATECHECK_QA_KEYS: 'a,b' };
  const found = examples.flatMap((example) => faults(example, Object.fromEntries(Object.entries(keys))));
  expect(examples.length).toBeGreaterThan(15);
  expect(found).toEqual([
    expect.stringContaining('http.extraCa: expected certificates in PEM form'),
    expect.stringContaining('http.clientCert: expected certificates in PEM form'),
    expect.stringContaining('http.clientKey: expected a private key in PEM form'),
  ]);
});
