import { randomBytes } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../core/clock.ts';
import type { HttpSettings, Settings } from '../core/settings.ts';
import type { Admission } from '../receive/inbox.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { isLoopbackHost } from '../plan/sinkReach.ts';
import type { Target } from './target.ts';

/** A request that only this sink can answer. */
export interface SinkProof {
  readonly path: string;
  readonly answer: string;
  /** The answer if a request asks the question; null for any other. */
  readonly admit: (target: string) => Admission | null;
}

export function createSinkProof(): SinkProof {
  const name = `gatecheck-proof-${randomBytes(12).toString('hex')}`;
  const answer = randomBytes(24).toString('base64url');
  return {
    path: `/${name}`,
    answer,
    admit: (target) =>
      target.split('?', 1)[0]?.endsWith(`/${name}`) === true
        ? { answer: { kind: 'status', status: 200, body: answer }, record: () => Promise.resolve() }
        : null,
  };
}

/** A tunnel may need a moment. */
const tries = 3;
const timeoutMs = 5_000;

/** Sends the question to the public address; also trusts `ca`. Resolves to null if it leads to this sink, else to what came instead. */
export async function whyNotReached(
  publicUrl: string,
  { path, answer }: Pick<SinkProof, 'path' | 'answer'>,
  { http, clock, ca }: { readonly http: HttpSettings; readonly clock: Clock; readonly ca: string | null },
): Promise<string | null> {
  const extra = [http.extraCa, ca].filter((pem) => pem !== null);
  const trusted = extra.length === 0 ? null : [...extra, ...rootCertificates].join('\n');
  const times = { connectTimeoutMs: timeoutMs, responseTimeoutMs: timeoutMs, maxBodyBytes: 1024 };
  const transport = createUndiciTransport({ ...http, ...times, extraCa: trusted }, clock);
  try {
    let why: string | null = null;
    for (let turn = 0; turn < tries; turn += 1) {
      if (turn > 0) await clock.sleep(500);
      const { outcome } = await transport.send({
        method: 'POST',
        baseUrl: publicUrl,
        target: path,
        headers: [['content-type', 'application/json']],
        body: Buffer.from('{}'),
      });
      if (outcome.kind === 'failure') why = outcome.failure.message;
      else if (Buffer.from(outcome.response.body).toString() === answer) return null;
      else why = `HTTP ${outcome.response.status} of something else`;
    }
    return why;
  } finally {
    await transport.close();
  }
}

/** How callbacks of a target reach the sink. */
export interface SinkWay {
  /** Address on which the sink listens. */
  readonly listenHost: string;
  /**
   * `public`: at the address that the user gave; `routed`: at a public name that the target's state handler routes here;
   * `direct`: at the address on which it listens; `none`: the target cannot reach this machine.
   */
  readonly kind: 'public' | 'routed' | 'direct' | 'none';
  /** Host name by which the target reaches this machine directly. */
  readonly host: string;
}

/** Chooses the way, in this order: an address that the user gave, a route of the target, the listening address. */
export function chooseSinkWay(
  settings: Settings,
  target: Pick<Target, 'sinkHost' | 'stateHandler'>,
): SinkWay {
  const { listen, publicUrl } = settings.sink;
  const given = listen.host;
  // Loopback is the default, which a container cannot reach.
  const listenHost = target.sinkHost && isLoopbackHost(given) ? target.sinkHost.listen : given;
  if (publicUrl !== null) return { kind: 'public', listenHost: given, host: given };
  const isNear = target.sinkHost !== undefined || ownershipOf(settings) !== 'foreign';
  if (!isNear && isLoopbackHost(given)) return { kind: 'none', listenHost, host: given };
  const host = target.sinkHost?.name ?? reachableHost(given, isNear);
  return { kind: target.stateHandler.offers('callbacks.route') ? 'routed' : 'direct', listenHost, host };
}

/** The host by which a server is reached; one that listens on all addresses is reached at one of them. */
export function reachableHost(listenHost: string, isNear: boolean): string {
  if (listenHost !== '0.0.0.0' && listenHost !== '::') return listenHost;
  if (isNear) return '127.0.0.1';
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  return outward?.address ?? '127.0.0.1';
}
