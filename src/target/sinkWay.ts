import { networkInterfaces } from 'node:os';
import type { Settings } from '../core/settings.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { isLoopbackHost } from '../plan/sinkReach.ts';
import type { Target } from './target.ts';

/** How callbacks of a target come to the sink. */
export interface SinkWay {
  /** Address that the sink listens on. */
  readonly listenHost: string;
  /**
   * `public`: under the address that the user gave; `routed`: under a public name that the target's state handler leads
   * here; `direct`: under the address that it listens on; `none`: the target cannot reach this machine.
   */
  readonly kind: 'public' | 'routed' | 'direct' | 'none';
  /** Host by which the target reaches this machine, where it goes there directly. */
  readonly host: string;
}

/** Chooses the way, by precedence: an address that the user gave, a route of the target, the listening address. */
export function chooseSinkWay(
  settings: Settings,
  target: Pick<Target, 'sinkHost' | 'stateHandler'>,
): SinkWay {
  const { listen, publicUrl } = settings.sink;
  const given = listen.host;
  // Loopback is the default, and of no use to a container.
  const listenHost = target.sinkHost && isLoopbackHost(given) ? target.sinkHost.listen : given;
  if (publicUrl !== null) return { kind: 'public', listenHost: given, host: given };
  const isNear = target.sinkHost !== undefined || ownershipOf(settings) !== 'foreign';
  if (!isNear && isLoopbackHost(given)) return { kind: 'none', listenHost, host: given };
  const host = target.sinkHost?.name ?? reachableHost(given, isNear);
  return { kind: target.stateHandler.offers('callbacks.route') ? 'routed' : 'direct', listenHost, host };
}

/** The host to reach a server by; one that listens on all addresses is reached under one of them. */
export function reachableHost(listenHost: string, isNear: boolean): string {
  if (listenHost !== '0.0.0.0' && listenHost !== '::') return listenHost;
  if (isNear) return '127.0.0.1';
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  return outward?.address ?? '127.0.0.1';
}
