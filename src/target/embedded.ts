import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { Inbox } from '../receive/inbox.ts';
import type { Sink } from '../receive/sink.ts';
import { createDeployment, type Deliver, type Deployment } from '../reference/deployment.ts';
import { defaultEnterprises } from '../reference/enterprises.ts';
import { listen } from '../reference/listen.ts';
import type { Policy } from '../reference/policy.ts';
import { createInProcessTransport } from '../send/inProcessTransport.ts';
import { KeyRing } from '../send/keyRing.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { withBursts } from './bursts.ts';
import { connectStateHandler, type StateHandlerPost } from './stateHandler.ts';
import type { Target } from './target.ts';
import { undoing } from './undoing.ts';

interface EmbeddedOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly policy?: Policy | undefined;
  /** The deployment's time; by default `clock`. */
  readonly deploymentClock?: Clock | undefined;
}

/** Receives callbacks. */
type Taker = Pick<Inbox, 'admit'>;

/** The reference deployment on a real socket of this machine. */
export async function openEmbeddedTarget(options: EmbeddedOptions): Promise<Target> {
  const { settings, clock } = options;
  const { deployment, keys } = createReference(options);
  const server = await listen(deployment, { host: '127.0.0.1', port: 0 });
  const transport = withBursts(createUndiciTransport(settings.http, clock), settings.http, clock);
  const { handler, undo } = undoing(await connectStateHandler(postInProcess(deployment)));
  return {
    kind: 'embedded',
    baseUrls: { webcheckin: server.url, 'flight-alerts': server.url },
    transport,
    keys,
    stateHandler: handler,
    // The documented policy has no delays.
    isPrompt: options.policy === undefined,
    close: async () => {
      await undo();
      await transport.close();
      await server.close();
      await deployment.close();
    },
  };
}

/** The reference deployment without a socket, for tests and the proof; its callbacks only go to the inbox. */
export async function openInProcessTarget(
  options: EmbeddedOptions & { readonly inbox: Taker },
): Promise<Target> {
  const { clock, inbox } = options;
  const { deployment, keys } = createReference({ ...options, deliver: deliverTo(inbox, clock) });
  const transport = createInProcessTransport((request, info) => deployment.fetch(request, info), clock);
  const { handler, undo } = undoing(await connectStateHandler(postInProcess(deployment)));
  const baseUrl = 'http://reference.invalid';
  return {
    kind: 'embedded',
    baseUrls: { webcheckin: baseUrl, 'flight-alerts': baseUrl },
    transport,
    keys,
    stateHandler: handler,
    close: async () => {
      await undo();
      await deployment.close();
    },
  };
}

/** The sink of an in-process target: the public name is never resolved. */
export function inProcessSink(inbox: Inbox): Sink {
  const url = 'https://gatecheck-sink.example.com';
  return {
    inbox,
    urls: { webcheckin: url, 'flight-alerts': url },
    close: () => Promise.resolve(),
  };
}

/** Takes deliveries without a socket. */
export function deliverTo(inbox: Taker, clock: Clock): Deliver {
  return async ({ method, url, headers, body }) => {
    const { host, pathname, search } = new URL(url);
    const target = `${pathname}${search}`;
    const admission = inbox.admit(target);
    const { answer } = admission;
    const at = clock.now();
    await admission.record({
      method,
      target,
      headers: [['host', host], ...Object.entries(headers)],
      body: answer.kind === 'close-early' ? new Uint8Array() : Buffer.from(body),
      truncated: answer.kind === 'close-early',
      startedAt: at,
      receivedAt: at,
      connection: 'in-process',
    });
    if (answer.kind !== 'status') return { status: null };
    if (answer.delayMs !== undefined) await clock.sleep(answer.delayMs);
    const location = answer.headers?.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
    return { status: answer.status, location };
  };
}

function createReference({
  settings,
  clock,
  policy,
  deliver,
}: EmbeddedOptions & { readonly deliver?: Deliver }): {
  deployment: Deployment;
  keys: KeyRing;
} {
  const { enterprises } = defaultEnterprises(settings.seed);
  const deployment = createDeployment({
    clock,
    seed: settings.seed,
    limits: settings.limits,
    enterprises,
    ...(policy === undefined ? {} : { policy }),
    ...(deliver === undefined ? {} : { deliver }),
  });
  return { deployment, keys: embeddedKeys(settings.seed) };
}

/** The keys that a reference deployment with this seed accepts. */
export function embeddedKeys(seed: number): KeyRing {
  const { primary, other, ...special } = defaultEnterprises(seed).keys;
  return KeyRing.of({ primary, other, special });
}

/** Calls the state handler of a deployment without a socket. */
export function postInProcess(deployment: Deployment): StateHandlerPost {
  return async (body) => {
    const request = new Request('http://reference.invalid/_state', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const response = await deployment.stateHandler(request);
    return { status: response.status, body: await response.text() };
  };
}
