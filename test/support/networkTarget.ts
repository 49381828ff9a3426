import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect } from 'vitest';
import { resolveSettings, run, type Config, type RunResult } from '../../src/index.ts';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';

const { enterprises, keys } = defaultEnterprises(21);
/** A key of the first enterprise. */
export const [key = ''] = keys.primary;
export { enterprises };
/** What has to be closed when a test is over. */
export const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A conforming deployment as a listener for a server of any kind; `seen` gets the heads of its requests. */
export function deployment(seen: IncomingMessage[] = [], prefix = ''): RequestListener {
  const own = createDeployment({ enterprises });
  closing.push(() => own.close());
  return (request, response) => {
    seen.push(request);
    if (!request.url?.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    return void forward(own, { request, response, path: request.url.slice(prefix.length) });
  };
}

interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

async function forward(
  own: ReturnType<typeof createDeployment>,
  { request, response, path }: Forwarded,
): Promise<void> {
  const hasBody = request.method === 'POST';
  const answer = await own.fetch(
    new Request(`http://deployment.test${path}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {}),
    }),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(await answer.text());
}

/** Lets a server listen until the test is over; its port. */
export async function listening(server: Server, host = '127.0.0.1', wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** A short smoke run; what it says of the target and how many requests were answered. */
export async function smoke(
  config: Config,
  change = (settings: ReturnType<typeof resolveSettings>) => settings,
): Promise<RunResult> {
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-network-'));
  closing.push(() => rmSync(root, { recursive: true, force: true }));
  const settings = resolveSettings(
    {
      profile: 'smoke',
      seed: 1,
      budgets: { maxRequests: 50 },
      ...config,
      http: { responseTimeout: '3s', ...config.http },
      keys: { primary: 'env:KEY' },
    },
    { env: { KEY: key } },
  );
  return (await run(change(settings), { root })).result;
}

/** Expects that a smoke run reached the deployment and found nothing. */
export function expectReached({ run: { end }, summary }: RunResult): void {
  expect(end === 'completed' || end === 'budget').toBe(true);
  expect(summary.failed).toBe(0);
  expect(summary.passed).toBeGreaterThan(0);
}
