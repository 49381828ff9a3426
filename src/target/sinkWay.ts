import { networkInterfaces } from 'node:os';
import type { Settings } from '../core/settings.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { isLoopbackHost } from '../plan/sinkReach.ts';
import type { Target } from './target.ts';

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
