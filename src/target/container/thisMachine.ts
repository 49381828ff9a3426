import { reachableHost } from '../sinkWay.ts';
import type { SinkHost } from '../target.ts';
import { type Engine, isPodman, runsHere, sharesNetworks } from './engine.ts';
import { isOwn } from './isOwn.ts';

/** How containers reach this machine. */
export interface ThisMachine extends SinkHost {
  /** The address that the name must resolve to; null if the engine resolves the name by itself. */
  readonly ipAddress: string | null;
}

const ownName = 'host.gatecheck.internal';

/** Finds out how containers in a network with this gateway reach this machine. */
export async function findThisMachine(engine: Engine, gateway: string | null): Promise<ThisMachine> {
  // Podman assigns the bridge its address with the first container on it.
  if (gateway !== null && ((await isOwn(gateway)) || (await sharesNetworks(engine))))
    return { name: ownName, ipAddress: gateway, listen: gateway };
  if (!(await isPodman(engine))) return { name: ownName, ipAddress: 'host-gateway', listen: '127.0.0.1' };
  // Not every version knows `host-gateway`. Without root, the engine's own name for the host leads to its outward address.
  const listen = (await runsHere(engine)) ? reachableHost('0.0.0.0', false) : '127.0.0.1';
  return { name: 'host.containers.internal', ipAddress: null, listen };
}
