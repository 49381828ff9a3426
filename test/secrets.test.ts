import { expect, test } from 'vitest';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises, type DefaultKeys } from '../src/reference/enterprises.ts';
import { listen } from '../src/reference/listen.ts';
import { filesIn, gatecheck, type Ended } from './support/gatecheck.ts';

/** Every form in which a secret must not be found, as bytes. */
function formsOf(secret: string): readonly Buffer[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')].map(
    (form) => Buffer.from(form),
  );
}

function valuesOf(keys: DefaultKeys): readonly string[] {
  return (Object.values(keys) as (string | readonly string[])[]).flat();
}

/** Where secrets are found among all that a run left behind. */
function leaks({ folder, stdout, stderr }: Ended, secrets: readonly string[]): readonly string[] {
  const artefacts = [
    ...filesIn(folder),
    ['stdout', Buffer.from(stdout)] as const,
    ['stderr', Buffer.from(stderr)] as const,
  ];
  return artefacts.flatMap(([name, bytes]) =>
    secrets
      .filter((secret) => formsOf(secret).some((form) => bytes.includes(form)))
      .map((secret) => `${secret} in ${name}`),
  );
}

test('no key of the embedded reference stands in anything that a run leaves behind or prints', async () => {
  const { keys } = defaultEnterprises(7);
  const ended = await gatecheck(['run', '--seed', '7', '--max-requests', '400', '--report-dir', 'out']);
  expect(ended.stderr).not.toContain('broke');
  expect(filesIn(ended.folder).size).toBeGreaterThan(6);
  expect(leaks(ended, valuesOf(keys))).toEqual([]);
});

test('neither keys nor callback keys nor auth_header values nor gateway headers do, against a deployment', async () => {
  const { enterprises, keys } = defaultEnterprises(3);
  const deployment = createDeployment({ enterprises, limits: { perMinute: 6000, perHour: 100_000 } });
  const seen = new Set<string>();
  const watched = {
    ...deployment,
    fetch: async (request: Request, info?: object) => {
      const sent = await request.clone().text();
      const response = await deployment.fetch(request, info);
      for (const [, value = ''] of sent.matchAll(/"auth_header":"[^":]*:\s*([^"\\]+)"/g))
        // The bare name of the tool is no secret of anybody.
        if (value.trim().length >= 10) seen.add(value.trim());
      const text = await response.clone().text();
      for (const [, value = ''] of text.matchAll(/"callbackApiKey":"([^"]+)"/g)) seen.add(value);
      return response;
    },
  };
  const target = await listen(watched, { stateHandler: true });
  const ended = await gatecheck(
    ['run', '--target', target.url, '--max-requests', '900', '--report-dir', 'out'],
    {
      env: {
        GATECHECK_KEYS_PRIMARY: keys.primary.join(','),
        GATECHECK_KEYS_OTHER: keys.other.join(','),
        GATECHECK_KEY_REVOKED: keys.revoked,
        GATECHECK_STATE_HANDLER: target.stateHandlerUrl ?? '',
        GATEWAY: 'Bearer s3cret/gateway+token==',
      },
      config: {
        limits: { perMinute: 6000, perHour: 100_000 },
        http: { headers: { 'X-Gateway': 'env:GATEWAY' } },
      },
    },
  );
  await target.close();
  await deployment.close();
  expect([...seen].filter((value) => value.startsWith('gatecheck-')).length).toBeGreaterThan(0);
  const secrets = [...seen, ...valuesOf(keys), 's3cret/gateway+token==', 'Bearer s3cret/gateway+token=='];
  expect(leaks(ended, secrets)).toEqual([]);
  expect(ended.code).not.toBe(70);
});

test('no key does where a server makes its ids of them, neither in what the run left behind nor in the record book', async () => {
  const { enterprises, keys } = defaultEnterprises(5);
  const deployment = createDeployment({ enterprises, limits: { perMinute: 6000, perHour: 100_000 } });
  const echoing = {
    ...deployment,
    fetch: async (request: Request, info?: object) => {
      const response = await deployment.fetch(request, info);
      const key = request.headers.get('x-api-key') ?? '';
      const text = (await response.text()).replace(/("checkin_id":")/g, `$1${key}-`);
      return new Response(text, { status: response.status, headers: response.headers });
    },
  };
  const target = await listen(echoing);
  const ended = await gatecheck(
    ['run', '--target', target.url, '--max-requests', '120', '--max-quota', '9', '--report-dir', 'out'],
    {
      env: { GATECHECK_KEYS_PRIMARY: keys.primary.join(','), GATECHECK_STATE_DIR: 'memory' },
      config: { limits: { perMinute: 6000, perHour: 100_000 } },
    },
  );
  await target.close();
  await deployment.close();
  const { sideEffects } = JSON.parse(
    filesIn(ended.folder).get('out/result.json')?.toString() ?? '{"sideEffects":[]}',
  ) as { readonly sideEffects: readonly { readonly id: string | null }[] };
  expect(sideEffects.filter(({ id }) => id?.includes('‹key primary#'))).not.toEqual([]);
  expect(leaks(ended, valuesOf(keys))).toEqual([]);
});

test('neither expected nor other credentials do, in what the sink shows and exports', async () => {
  const secrets = [
    's3cret-auth-header-value',
    'cbk_s3cret/callback+key',
    's3cret-of-nobody',
    's3cret-path-maker-1',
  ];
  const [auth = '', callbackKey = '', unknown = '', pathSecret = ''] = secrets;
  const ended = await gatecheck(
    [
      ...['sink', '--har', 'callbacks.har', '--expect-auth-header', 'env:AUTH'],
      ...['--expect-callback-key', 'env:CALLBACK_KEY', '--path-secret', 'env:PATHS'],
    ],
    {
      env: { AUTH: `X-API-Key: ${auth}`, CALLBACK_KEY: callbackKey, PATHS: pathSecret },
      meanwhile: (child) => {
        let text = '';
        child.stdout?.on('data', (chunk: Buffer) => {
          const before = text;
          text += chunk.toString();
          if (text.includes('Ctrl-C') && !before.includes('Ctrl-C'))
            void deliverAll(text).finally(() => child.kill('SIGINT'));
        });
      },
    },
  );
  async function deliverAll(banner: string): Promise<void> {
    const urls = [...banner.matchAll(/(?:web-check-in|flight-alerts) +(\S+)/g)].map(([, url = '']) => url);
    const page = /Page: (\S+)/.exec(banner)?.[1] ?? '';
    for (const url of urls) {
      for (const value of [auth, callbackKey, unknown, `Bearer ${auth}`]) {
        const headers = { Authorization: value, 'X-API-Key': value, 'X-Echo': auth };
        const body = JSON.stringify({ fid: callbackKey, changes: { note: auth } });
        await fetch(`${url}?key=${encodeURIComponent(auth)}`, { method: 'POST', headers, body });
      }
    }
    await fetch(`${new URL(urls[0] ?? '').origin}/old`, {
      method: 'POST',
      headers: { Authorization: unknown },
    });
    const reader = (await fetch(`${page}news`)).body?.getReader();
    shown = Buffer.from((await reader?.read())?.value ?? '').toString();
    await reader?.cancel();
  }
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/match X-API-Key ‹[\da-f]{12}›/);
  expect(ended.stdout).toContain('4 deliveries, 3 with a wrong or missing Authorization');
  expect(filesIn(ended.folder).get('callbacks.har')?.toString()).toContain('"_kind":"callback"');
  expect(shown).toContain('"arrivals":[{');
  expect(leaks({ ...ended, stderr: ended.stderr + shown }, secrets)).toEqual([]);
});

/** What the page was told. */
let shown = '';
