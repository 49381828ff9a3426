import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatecheck } from './support/gatecheck.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { freePort } from './support/freePort.ts';

// Prism stands between a run and the reference, and compares all that passes with our OpenAPI description. It is no dependency,
// since it brings 213 packages: `.ci/packages` puts it beside the checkout.

const tools = process.env.GATECHECK_TOOLS ?? join(homedir(), '.cache', 'gatecheck-tools');
const prism = join(tools, 'node_modules/@stoplight/prism-cli/dist/index.js');
const reason = existsSync(prism) ? '' : ` (skipped: there is no Prism here, which .ci/packages installs)`;

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-prism-'));
let sandbox: Sandbox;
let proxy: ChildProcess | null = null;
let url = '';

beforeAll(async () => {
  sandbox = await openSandbox({ limits: { perMinute: 600, perHour: 60_000 } });
  if (reason !== '') return;
  const description = join(folder, 'openapi.json');
  writeFileSync(description, (await gatecheck(['openapi'])).stdout);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  proxy = spawn(process.execPath, [prism, 'proxy', description, sandbox.url, '--port', String(port)], {
    stdio: 'ignore',
  });
}, 90_000);
afterAll(async () => {
  proxy?.kill();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

interface Exchange {
  readonly type: string;
  readonly request: { readonly url: string };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
  } | null;
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

test(`Prism finds no answer of the reference that our description forbids, and requests that it does${reason}`, async ({
  skip,
}) => {
  if (reason !== '') return skip(reason);
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { timeout: 60_000, interval: 300 }).toBe(true);
  const selection = ['wci.list.*', 'wci.status.*', 'wci.subscribe.*', 'fla.lookup.*', 'shared.auth.*'];
  const { folder: ran, stdout } = await gatecheck(
    ['run', ...selection.flatMap((one) => ['--only', one]), '--profile', 'smoke', '--max-requests', '200'],
    { env: { GATECHECK_TARGET: url, GATECHECK_KEYS_PRIMARY: sandbox.keys.slice(0, 8).join(',') } },
  );
  const violations = readFileSync(join(ran, 'reports/latest/evidence.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange)
    .flatMap(({ type, request, response }) =>
      type === 'exchange' && response !== null ? [{ ...response, request }] : [],
    )
    .map(({ status, headers, request }) => ({ status, request, found: violationsOf(headers) }));
  expect(violations.length, stdout).toBeGreaterThan(60);
  const ofAnswers = violations.flatMap(({ found }) =>
    found.filter(({ location }) => location[0] === 'response'),
  );
  expect(ofAnswers).toEqual([]);
  const held = violations.filter(({ found }) => found.length > 0);
  expect(held.length).toBeGreaterThan(0);
  // What it holds against a request, the reference refuses; that a parameter may be repeated, OpenAPI cannot say.
  const served = held.filter(({ status, request }) => status < 400 && !repeats(request.url));
  expect(served).toEqual([]);
});

function repeats(url: string): boolean {
  const names = [...new URL(url).searchParams.keys()];
  return new Set(names).size < names.length;
}

function violationsOf(headers: readonly (readonly [string, string])[]): readonly Violation[] {
  const [, value] = headers.find(([name]) => name.toLowerCase() === 'sl-violations') ?? [];
  return value === undefined ? [] : (JSON.parse(value) as readonly Violation[]);
}
