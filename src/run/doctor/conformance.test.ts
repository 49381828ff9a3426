import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { startReference } from '../../reference/startReference.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { examine, paceLine } from './doctor.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

interface Asked {
  readonly state?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
/** What the test's handler answers instead of the reference's, or that it does not; undefined to leave it unchanged. */
type Meddle = (asked: Asked) => { readonly status: number; readonly body: unknown } | 'silence' | undefined;

/** What the doctor says about a state handler that differs from the reference's in this way. */
async function statesOf(meddle: Meddle, triesStates = true): Promise<readonly string[]> {
  const reference = await startReference({ seed: 3 });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      void answer(Buffer.concat(chunks).toString('utf8'), reference.stateHandlerUrl ?? '', meddle).then(
        (said) => (said === null ? response.destroy() : response.writeHead(said.status).end(said.text)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-states-'));
  closes.push(
    () => rmSync(root, { recursive: true }),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
    () => reference.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = resolveSettings(
    { target: reference.url, stateHandler: { url }, keys: { primary: 'env:KEYS' } },
    { env: { KEYS: reference.keys.primary.slice(0, 2).join(',') } },
  );
  const { signal } = new AbortController();
  const lines = await examine({ settings, clock: systemClock, signal, root, triesStates });
  return lines
    .filter(
      ({ area, health, subject }) => area === 'state handler' && (health !== 'ok' || subject === 'effects'),
    )
    .map(({ health, subject, text }) => `${health} ${subject}: ${text}`);
}

async function answer(body: string, handler: string, meddle: Meddle) {
  let asked: Asked = {};
  try {
    asked = JSON.parse(body) as Asked;
  } catch {
    asked = {};
  }
  const own = meddle(asked);
  if (own === 'silence') return null;
  if (own) return { status: own.status, text: JSON.stringify(own.body) };
  const headers = { 'content-type': 'application/json' };
  const passed = await request(handler, { method: 'POST', headers, body });
  return { status: passed.statusCode, text: await passed.body.text() };
}

const done = { status: 200, body: { ok: true } };

test('a handler that does what it says passes, state by state', async () => {
  const said = await statesOf(() => undefined);
  expect(said).toEqual([
    'ok effects: 10 states do what they say: enterprise.create, keys.issue, keys.revoke, keys.disable, entitlement.set, ' +
      'clock.advance, flights.put, provider.fail, callbacks.pending, reset',
  ]);
});

test.each([
  ['keys.revoke', 'the key gets HTTP 200 afterwards, not 401'],
  ['keys.disable', 'the key gets HTTP 200 afterwards, not 401'],
  ['entitlement.set', 'entitlement.get does not show what was set'],
  ['clock.advance', 'its answer tells no now'],
  ['flights.put', 'a lookup of the flight gets HTTP 404'],
  ['provider.fail', 'a lookup gets HTTP 200 while upstream is unavailable, not 502'],
  ['callbacks.pending', 'pending is no count'],
])('a handler that says it did %s and did not is found', async (state, text) => {
  const said = await statesOf(({ state: asked }) => (asked === state ? done : undefined));
  expect(said[0]).toContain(`fail ${state}: ${text}`);
});

test('a handler that takes what the protocol does not allow is told', async () => {
  const said = await statesOf(({ state }) =>
    state === 'gatecheck.unknown' || state === undefined ? done : undefined,
  );
  expect(said.filter((line) => line.startsWith('warn protocol')).map((line) => line.slice(15, 50))).toEqual([
    'a state that nobody knows: expected',
    'a body that is not JSON: expected H',
  ]);
});

test.each<[what: string, body: unknown, status: number]>([
  ['fails', { ok: false, error: 'boom' }, 500],
  ['is a page', '<html>Sign in</html>', 200],
  ['is of another form', [1, 2], 200],
])('a handler whose second answer %s is told so, and no fault of Gatecheck', async (_what, body, status) => {
  let asked = 0;
  const said = await statesOf(() => ((asked += 1) === 1 ? undefined : { status, body }));
  const fails = said.filter((line) => line.startsWith('fail'));
  expect(fails).toEqual([
    expect.stringMatching(
      /^fail protocol: it said at first what it offers, and then: .*did not set capabilities: HTTP/,
    ),
  ]);
  expect(said.some((line) => line.includes('do what they say'))).toBe(false);
});

test('a handler that stops answering is not asked for one state after another', async () => {
  let asked = 0;
  const said = await statesOf(() => ((asked += 1) === 1 ? undefined : 'silence'));
  expect(said).toEqual([
    'fail protocol: a state that nobody knows: expected a refusal; no whole answer came, and nothing else was tried',
  ]);
  // What it offers, the route of the sink, and the one that it is told of.
  expect(asked).toBeLessThanOrEqual(3);
  let later = 0;
  const late = await statesOf(({ state }) => {
    if (state === 'keys.issue') later += 1;
    return state === 'keys.issue' ? 'silence' : later > 0 ? done : undefined;
  });
  expect(late.filter((line) => line.startsWith('fail'))).toEqual([
    expect.stringMatching(/^fail keys.issue: .*; the states after it were not tried$/),
  ]);
});

test('keys that nobody takes are not said to be revoked', async () => {
  const keys = ['made-up-key-1', 'made-up-key-2'];
  const said = await statesOf(({ state = '' }) =>
    /^(enterprise|keys)\./.test(state) ? { status: 200, body: { ok: true, keys } } : undefined,
  );
  expect(said).toContain('fail keys.revoke: the key of a new enterprise gets HTTP 401 before it');
  expect(said.find((line) => line.startsWith('ok effects'))).not.toMatch(/keys\.|enterprise/);
});

test('what no read can show is not said to be so', async () => {
  const said = await statesOf(({ state }) =>
    state === 'capabilities'
      ? {
          status: 200,
          body: {
            ...{ ok: true, now: new Date().toISOString(), clock: [] },
            states: ['enterprise.create', 'entitlement.set', 'callbacks.pending'],
          },
        }
      : undefined,
  );
  expect(said).toContain('ok effects: 2 states do what they say: enterprise.create, callbacks.pending');
});

test('without agreement nothing is changed, and that is said', async () => {
  const asked: string[] = [];
  const lines = await statesOf(({ state = '' }) => void asked.push(state), false);
  // The route is for the doctor's own public name, and ends with its sink.
  const changing = asked.filter(
    (state) => !['capabilities', 'callbacks.pending', 'callbacks.route'].includes(state),
  );
  expect(new Set(changing)).toEqual(new Set(['gatecheck.unknown', '']));
  expect(lines).toEqual([
    expect.stringMatching(/^warn effects: not tried, since the target is not local/),
    'ok effects: 1 states do what they say: callbacks.pending',
  ]);
});

test('latency is the middle of the reads, jitter the mean step between them', () => {
  expect(paceLine([10, 14, 12, 10, 100]).text).toBe('12 ms for a read, jitter 25 ms (5 reads)');
  expect(paceLine([1200, 1100, 1300]).health).toBe('warn');
});
