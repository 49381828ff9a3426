import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { listenError } from '../core/listenFault.ts';
import type { Settings } from '../core/settings.ts';
import { isPublicHttps } from '../plan/sinkReach.ts';
import { readCertificate, makeCertificate, type Certificate } from '../receive/certificate.ts';
import { Inbox, tokensFrom } from '../receive/inbox.ts';
import type { SinkLimits } from '../receive/limits.ts';
import type { Sink } from '../receive/sink.ts';
import { openSinkServer, type SinkServer } from '../receive/sinkServer.ts';
import { createSinkProof, whyNotReached, type SinkProof, chooseSinkWay, type SinkWay } from './sinkProof.ts';
import type { Target } from './target.ts';

export interface OpenSinkOptions {
  readonly settings: Settings;
  readonly target: Pick<Target, 'sinkHost' | 'stateHandler'>;
  readonly clock: Clock;
  /** Tells the user what keeps callbacks from the sink, and which came unexpectedly. */
  readonly notice?: (text: string) => void;
  /** Where they differ from the usual ones. */
  readonly limits?: Partial<SinkLimits>;
  /** A filter between the deployment and the inbox; none by default. */
  readonly between?: (inbox: Inbox) => Pick<Inbox, 'admit'>;
}

/** Names that checks register for their own purposes; deliveries to them are accepted and ignored. */
const commonHosts = ['example.com', 'www.example.com', 'callbacks.example.com', 'gatecheck-sink.example.com'];

type Reach = Pick<Sink, 'urls' | 'unreached'>;

/** Opens the sink of a run and makes sure that it can be reached; null if nothing may be subscribed anyway. */
export async function openSink(options: OpenSinkOptions): Promise<Sink | null> {
  const { settings, target, clock, notice = () => undefined } = options;
  if (settings.readOnly) return null;
  const way = chooseSinkWay(settings, target);
  const inbox = new Inbox({ clock, newToken: tokensFrom(randomBytes(32).toString('hex')) });
  if (way.kind === 'none') return unreachable(inbox);
  const publicHost = `gatecheck-${randomBytes(4).toString('hex')}.example.com`;
  const certificate = await certificateFor(settings, way, [publicHost, ...commonHosts]);
  const proof = createSinkProof();
  const server = await listen(options, way, { certificate, inbox, proof });
  try {
    const reach = await reachBy(way, { ...options, server, certificate, proof, publicHost });
    for (const why of new Set(Object.values(reach.unreached ?? {}))) {
      if (way.kind !== 'direct') notice(why);
    }
    const turnedAway = () => server.refused.connections;
    return { inbox, ...reach, turnedAway, close: closeOnce(server, inbox, notice) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function unreachable(inbox: Inbox): Sink {
  const why =
    'The target is not on this machine, and the sink listens on loopback: give --sink-public-url, or an address of ' +
    'this machine that the target reaches with --sink-listen.';
  return { inbox, ...nowhere(why), close: () => Promise.resolve() };
}

function nowhere(why: string): Reach {
  return {
    urls: { webcheckin: null, 'flight-alerts': null },
    unreached: { webcheckin: why, 'flight-alerts': why },
  };
}

async function certificateFor(
  { sink }: Settings,
  way: SinkWay,
  hosts: readonly string[],
): Promise<Certificate | null> {
  const own = sink.certFile === null ? null : await readCertificate(sink.certFile, sink.keyFile ?? '');
  // The user's own certificate is for the user's own name, not for the routed one.
  return way.kind === 'routed' ? makeCertificate([...hosts, way.host]) : own;
}

interface SinkParts {
  readonly certificate: Certificate | null;
  readonly inbox: Inbox;
  readonly proof: SinkProof;
}

async function listen(
  { settings, clock, limits = {}, between = (one) => one }: OpenSinkOptions,
  { listenHost: host }: SinkWay,
  { certificate, inbox, proof }: SinkParts,
): Promise<SinkServer> {
  const { port } = settings.sink.listen;
  const taker = between(inbox);
  const admit = (path: string) => proof.admit(path) ?? taker.admit(path);
  try {
    return await openSinkServer({ inbox: { admit }, clock, host, port, certificate, limits });
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--sink-listen', portOption: '--sink-listen' }, cause);
  }
}

interface Standing extends OpenSinkOptions {
  readonly server: SinkServer;
  readonly certificate: Certificate | null;
  readonly proof: SinkProof;
  readonly publicHost: string;
}

function reachBy(way: SinkWay, standing: Standing): Promise<Reach> | Reach {
  switch (way.kind) {
    case 'public':
      return reachPublic(standing);
    case 'routed':
      return reachRouted(way, standing);
    case 'direct':
    case 'none':
      return reachDirect(way, standing);
  }
}

async function reachPublic({ settings, clock, server, certificate, proof }: Standing): Promise<Reach> {
  const url = settings.sink.publicUrl ?? '';
  const ca = certificate?.cert ?? null;
  const why = await whyNotReached(url, proof, { http: settings.http, clock, ca });
  if (why !== null) {
    return nowhere(
      `The address ${url} does not lead to the sink (${why}): let it lead to ${server.url}, where the sink listens; ` +
        '--sink-listen HOST:PORT gives it a fixed port.',
    );
  }
  return isPublicHttps(url) ? { urls: { webcheckin: url, 'flight-alerts': url } } : withoutFlightAlerts(url);
}

async function reachRouted(
  way: SinkWay,
  { target, server, certificate, publicHost }: Standing,
): Promise<Reach> {
  const address = addressOf(way, server);
  const ca = certificate?.ca ?? null;
  try {
    for (const host of [publicHost, ...commonHosts]) {
      await target.stateHandler.set('callbacks.route', {
        host,
        address,
        ...(ca === null ? {} : { ca }),
      });
    }
  } catch (error) {
    return nowhere(
      `Callbacks cannot be routed to the sink: ${error instanceof Error ? error.message : String(error)}. ` +
        'Correct callbacks.route of the state handler, or give --sink-public-url.',
    );
  }
  const url = `https://${publicHost}`;
  return { urls: { webcheckin: url, 'flight-alerts': url } };
}

function reachDirect(way: SinkWay, { server }: Standing): Reach {
  return withoutFlightAlerts(addressOf(way, server));
}

function withoutFlightAlerts(url: string): Reach {
  const why =
    'Flight Alerts delivers to public HTTPS names only: give one with --sink-public-url, or a state handler that ' +
    'offers callbacks.route.';
  return { urls: { webcheckin: url, 'flight-alerts': null }, unreached: { 'flight-alerts': why } };
}

/** The address for a target that reaches this machine directly. */
function addressOf({ host }: SinkWay, { url, port }: SinkServer): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${url.split(':', 1)[0] ?? 'http'}://${name}:${port}`;
}

function closeOnce(server: SinkServer, inbox: Inbox, notice: (text: string) => void): () => Promise<void> {
  let closed: Promise<void> | null = null;
  return () => {
    closed ??= server.close().then(() => {
      for (const text of whatElseCame(server, inbox)) notice(text);
    });
    return closed;
  };
}

function whatElseCame({ refused }: SinkServer, { strays }: Inbox): readonly string[] {
  const lines: readonly (readonly [count: number, what: string])[] = [
    [strays, 'came to addresses that this run did not give out (of an earlier run, or from elsewhere)'],
    [refused.malformed, 'were no HTTP that can be read'],
    [refused.broken, 'broke off before their last byte'],
    [
      refused.handshakes,
      'ended in the TLS handshake (the sender may not trust the certificate, or did not need the connection)',
    ],
    [refused.connections, 'were turned away, because too many were open at once'],
  ];
  return lines
    .filter(([count]) => count > 0)
    .map(([count, what]) => `Of the requests to the sink, ${count} ${what}.`);
}
