import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { resolveSettings, type Config } from '../../index.ts';
import { createDeployment, type Deployment } from '../../reference/deployment.ts';
import { defaultEnterprises } from '../../reference/enterprises.ts';
import { listen, type ListenOptions } from '../../reference/listen.ts';
import { doctorCode, examine } from './doctor.ts';
import { type DoctorLine, missingSettings, renderDoctor } from './render.ts';
import { renderConfigFor } from '../../settings/configTemplate.ts';

const { enterprises, keys } = defaultEnterprises(4);
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

interface Given {
  readonly config?: Config;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: ListenOptions;
  readonly change?: (deployment: Deployment) => Deployment;
}

/** A deployment on a port, which counts what it receives, and the settings for it. */
async function given({ config = {}, env = {}, options = {}, change = (one) => one }: Given) {
  const deployment = createDeployment({ enterprises, limits: { perMinute: 60, perHour: 1000 } });
  const methods: string[] = [];
  const changed = change(deployment);
  const listening = await listen(
    {
      ...changed,
      fetch: (request, info) => {
        methods.push(request.method);
        return changed.fetch(request, info);
      },
    },
    options,
  );
  closes.push(async () => {
    await listening.close();
    await deployment.close();
  });
  const settings = resolveSettings(
    {
      target: listening.url,
      ...(listening.stateHandlerUrl === null ? {} : { stateHandler: { url: listening.stateHandlerUrl } }),
      ...config,
      keys: { primary: 'env:KEYS', ...config.keys },
    },
    { env: { KEYS: keys.primary.slice(0, 2).join(','), ...env } },
  );
  return { settings, methods };
}

async function look(wanted: Given) {
  const { settings, methods } = await given(wanted);
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-doctor-'));
  const { signal } = new AbortController();
  const lines = await examine({ settings, clock: systemClock, signal, root });
  return { lines, methods, code: doctorCode(lines, settings.strict) };
}

function shortly(lines: readonly DoctorLine[], area: DoctorLine['area']): readonly string[] {
  return lines.filter((line) => line.area === area).map(({ health, subject }) => `${health} ${subject}`);
}

it('finds a deployment with everything ready, by read requests alone', async () => {
  const config: Config = {
    keys: { primary: 'env:KEYS', other: 'env:OTHER', revoked: 'env:REVOKED', suspended: 'env:SUSPENDED' },
  };
  const env = { OTHER: keys.other[0] ?? '', REVOKED: keys.revoked, SUSPENDED: keys.suspended };
  const { lines, methods, code } = await look({ config, env, options: { stateHandler: true } });
  expect(code).toBe(0);
  expect(new Set(methods)).toEqual(new Set(['GET']));
  expect(shortly(lines, 'target')).toEqual(['ok webcheckin', 'ok flight-alerts', 'ok latency']);
  expect(shortly(lines, 'keys')).toEqual([
    'ok primary',
    'ok other',
    'ok revoked',
    'warn disabled',
    'warn noEntitlement',
    'ok suspended',
    'warn exhausted',
  ]);
  expect(shortly(lines, 'clock')).toEqual(['ok Date']);
  expect(shortly(lines, 'state handler')).toEqual([
    'ok states',
    'ok protocol',
    'ok left behind',
    'ok effects',
  ]);
  expect(shortly(lines, 'sink')).toEqual(['ok webcheckin', 'ok flight-alerts']);
  expect(doctorCode(lines, true)).toBe(1);
});

it('tells keys that are not what they should be', async () => {
  const config: Config = {
    keys: { primary: 'env:KEYS', other: 'env:OTHER', revoked: 'env:REVOKED', exhausted: 'env:EXHAUSTED' },
  };
  const env = { OTHER: keys.revoked, REVOKED: keys.primary[5] ?? '', EXHAUSTED: keys.disabled };
  const { lines, code } = await look({ config, env });
  expect(shortly(lines, 'keys')).toEqual(
    expect.arrayContaining(['fail other#1', 'warn revoked', 'fail exhausted']),
  );
  expect(code).toBe(3);
  const shown = renderDoctor(lines);
  expect(shown).toContain('Give an active key of this environment.');
  for (const key of Object.values(keys).flat()) expect(shown).not.toContain(key);
});

it('tells keys that are of another enterprise than they are given for', async () => {
  const config: Config = { keys: { primary: 'env:KEYS', other: 'env:OTHER' } };
  const [one = '', two = ''] = keys.primary;
  const env = { KEYS: [one, keys.other[0]].join(','), OTHER: two };
  const { lines, code } = await look({
    ...{ config, env },
    change: (deployment) => ({
      ...deployment,
      fetch: async (request, info) => {
        const response = await deployment.fetch(request, info);
        if (!request.url.includes('/requests')) return response;
        const isOther = request.headers.get('x-api-key') === keys.other[0];
        return Response.json({ success: true, data: [{ checkin_id: isOther ? 'b' : 'a' }] });
      },
    }),
  });
  expect(shortly(lines, 'keys')).toEqual(expect.arrayContaining(['warn primary#2', 'fail other#1']));
  expect(code).toBe(3);
});

it('tells a path where the API is not', async () => {
  const { lines, code } = await look({
    change: (deployment) => ({
      ...deployment,
      fetch: () =>
        Promise.resolve(
          Response.json(
            { success: false, error: 'NOT_FOUND', message: 'No such operation.' },
            { status: 404 },
          ),
        ),
    }),
  });
  expect(shortly(lines, 'target')).toContain('fail webcheckin');
  expect(renderDoctor(lines)).toContain('Check the path of --target');
  expect(shortly(lines, 'keys')).toEqual(expect.arrayContaining(['warn primary#1', 'warn primary#2']));
  expect(code).toBe(3);
});

it('says of a clock that is off by how much', async () => {
  const date = new Date(Date.now() - 90_000).toUTCString();
  const { lines } = await look({
    change: (deployment) => ({
      ...deployment,
      fetch: async (request, info) => {
        const response = await deployment.fetch(request, info);
        response.headers.set('date', date);
        return response;
      },
    }),
  });
  expect(lines.find(({ area }) => area === 'clock')).toMatchObject({
    health: 'warn',
    text: expect.stringMatching(/^the target is (8[89]|90)\.\d s behind/) as string,
  });
});

it('says what keeps callbacks from the sink, and what is required and not there', async () => {
  const { lines, code } = await look({ config: { require: ['public-sink', 'second-key'] } });
  expect(shortly(lines, 'sink')).toEqual(['ok webcheckin', 'warn flight-alerts']);
  expect(shortly(lines, 'gate')).toEqual(['fail public-sink', 'ok second-key']);
  expect(code).toBe(1);
  const wrong = await look({ config: { sink: { publicUrl: 'http://127.0.0.1:9' } } });
  expect(shortly(wrong.lines, 'sink')).toEqual(['fail webcheckin', 'fail flight-alerts']);
  expect(wrong.code).toBe(3);
});

it.each<[string, Partial<Config>, readonly string[]]>([
  ['nobody listens', { target: 'http://127.0.0.1:9' }, ['fail webcheckin', 'fail flight-alerts']],
  [
    'the name is unknown',
    { target: 'http://no-such-host.invalid', apis: ['webcheckin'] },
    ['fail webcheckin'],
  ],
])('says what to do where %s, and nothing of the keys', async (_name, config, expected) => {
  const { lines, code } = await look({ config });
  expect(shortly(lines, 'target')).toEqual(expected);
  expect(shortly(lines, 'keys')).toEqual([]);
  expect(code).toBe(3);
});

it('tells another server from these APIs', async () => {
  const change = (deployment: Deployment): Deployment => ({
    ...deployment,
    fetch: () => Promise.resolve(new Response('<h1>It works</h1>')),
  });
  const { lines } = await look({ change });
  expect(lines[0]?.todo).toContain('the path before /extPartner');
});

it('looks at the rest where the state handler does not answer', async () => {
  const { lines, code } = await look({ config: { stateHandler: { url: 'http://127.0.0.1:9/_state' } } });
  expect(shortly(lines, 'state handler')).toEqual(['fail states']);
  expect(shortly(lines, 'target')).toEqual(['ok webcheckin', 'ok flight-alerts', 'ok latency']);
  expect(code).toBe(3);
});

it('renders what was found below its area, with what to do', () => {
  const lines: readonly DoctorLine[] = [
    { area: 'keys', health: 'warn', subject: 'revoked', text: 'not\ngiven', todo: 'Give one.' },
    { area: 'target', health: 'ok', subject: 'webcheckin', text: 'answers', todo: null },
  ];
  expect(renderDoctor(lines)).toMatchInlineSnapshot(`
    "Target
      ok    webcheckin  answers
    Keys
      warn  revoked     not⏎given
                        Give one.

    Ready, with 1 warning: a run judges less than it could.
    "
  `);
});

it.each([1e15, 30, 0, -5, 'soon'])(
  'is not ready for a target that answers nothing but 429 with retryAfter %s',
  async (retryAfter) => {
    const body = { success: false, error: 'RATE', message: 'm', retryAfter };
    const change = (one: Deployment): Deployment => ({
      ...one,
      fetch: () => Promise.resolve(Response.json(body, { status: 429 })),
    });
    const { lines, code } = await look({ change, env: { KEYS: keys.primary[0] ?? '' } });
    expect(code).toBe(3);
    expect(lines.filter(({ health }) => health === 'fail').map(({ subject }) => subject)).toEqual(['end']);
  },
);

it('names itineraries where nothing else makes bookings, and offers what is missing as text for the config file', async () => {
  const bare = await look({ options: {} });
  const offered = renderDoctor(bare.lines);
  expect(offered).toContain('  itineraries: {\n');
  expect(offered).toContain("    other: 'env:GATECHECK_QA_OTHER_KEY',\n");
  expect(offered).not.toContain('primary:');
  expect(renderConfigFor('http://a.example', missingSettings(bare.lines))).toContain(
    "  target: 'http://a.example',\n  // The deployment's state handler.\n  // stateHandler: {\n",
  );
});
