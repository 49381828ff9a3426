import { reachableHost } from '../sinkWay.ts';
import type { SinkHost } from '../target.ts';
import { type Engine, isPodman, runsHere, sharesNetworks } from './engine.ts';
import { isOwn } from './isOwn.ts';

/** The way from inside of the containers to this machine. */
export interface ThisMachine extends SinkHost {
  /** What the name has to lead to; null where the engine makes the name known by itself. */
  readonly ipAddress: string | null;
}

const ownName = 'host.gatecheck.internal';

/** Finds the way by which containers in a network with such a gateway reach this machine. */
export async function findThisMachine(engine: Engine, gateway: string | null): Promise<ThisMachine> {
  // Podman gives the bridge its address with the first container on it.
  if (gateway !== null && ((await isOwn(gateway)) || (await sharesNetworks(engine))))
    return { name: ownName, ipAddress: gateway, listen: gateway };
  if (!(await isPodman(engine))) return { name: ownName, ipAddress: 'host-gateway', listen: '127.0.0.1' };
  // Not every version knows `host-gateway`. Without root, its own name leads to where this machine faces outward.
  const listen = (await runsHere(engine)) ? reachableHost('0.0.0.0', false) : '127.0.0.1';
  return { name: 'host.containers.internal', ipAddress: null, listen };
}
