import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveSettings, run, type RunOutput } from '../src/index.ts';
import { startReference } from '../src/reference/startReference.ts';

type Outage = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Ended extends RunOutput {
  /** Requests that met the outage. */
  readonly met: number;
  readonly ms: number;
}

/** A run against a conforming deployment that answers rightly for a while, and then has an outage for ever. */
async function runInto(outage: Outage, only: readonly string[] = []): Promise<Ended> {
  await using reference = await startReference();
  let [requests, met] = [0, 0];
  const front = createServer((incoming, response) => {
    requests += 1;
    if (requests > 40 && outage(incoming, response)) return void (met += 1);
    const { method, headers } = incoming;
    const further = request(new URL(incoming.url ?? '/', reference.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    further.on('error', () => response.destroy());
    incoming.pipe(further);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-breaker-'));
  const settings = resolveSettings(
    {
      target: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      keys: { primary: 'env:KEYS' },
      ...{ seed: 1, only: [...only], http: { responseTimeout: '2s' } },
    },
    { env: { KEYS: reference.keys.primary.join(',') } },
  );
  const started = performance.now();
  try {
    const output = await run(settings, { root });
    return { ...output, met, ms: performance.now() - started };
  } finally {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
    rmSync(root, { recursive: true, force: true });
  }
}

const says503: Outage = (_incoming, response) => {
  response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html><title>Service Unavailable</title>');
  return true;
};

test.each<[what: string, outage: Outage, reason: RegExp]>([
  ['says 503 to everything', says503, /not this API any more: HTTP 503 .*Check whether the deployment/],
  ['never answers', () => true, /did not answer at http:.*responseTimeout/],
  [
    'stops in the middle of each body',
    (_incoming, response) => {
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
        .write('{"succ');
      return true;
    },
    /did not answer at http:.*responseTimeout/,
  ],
])(
  'a deployment that answers for a while and then %s is left alone soon, without a finding',
  { timeout: 90_000 },
  async (_what, outage, reason) => {
    const { result, exitCode, met, ms } = await runInto(outage);
    expect([exitCode, result.summary.verdict, result.findings]).toEqual([3, 'inconclusive', []]);
    expect(result.run.end).toBe('target-lost');
    expect(result.summary.reasons?.join(' ')).toMatch(reason);
    // While it is asked whether the target is still there, nothing else is sent.
    expect(met).toBeLessThan(100);
    expect(ms).toBeLessThan(60_000);
  },
);

test(
  'a deployment that fails for one operation only is not asked for it any more, and judged for the rest',
  { timeout: 150_000 },
  async () => {
    const ofSubscribe: Outage = (incoming, response) =>
      incoming.url?.endsWith('webcheckin/subscribe') === true && says503(incoming, response);
    const { result, exitCode, met } = await runInto(ofSubscribe, [
      'wci.subscribe.*',
      'wci.list.*',
      'fla.lookup.*',
    ]);
    expect([exitCode, result.summary.verdict, result.findings]).toEqual([3, 'inconclusive', []]);
    expect(met).toBeLessThan(250);
    const reasons = Object.values(result.requirements).map(({ reason }) => reason ?? '');
    expect(reasons).toContainEqual(
      expect.stringContaining('POST /extPartner/api/webcheckin/subscribe failed 24 times in a row'),
    );
  },
);
