import { type Engine, sharesNetworks } from './engine.ts';
import { isOwn } from './isOwn.ts';
import type { Labels } from './labels.ts';

export interface RunNetwork {
  readonly id: string;
  /** The address of this machine in it; null where the engine runs elsewhere (in a virtual machine, say). */
  readonly gateway: string | null;
}

/** Makes the network in which the containers of a run reach each other by name. */
export async function openNetwork(engine: Engine, runId: string, labels: Labels): Promise<RunNetwork> {
  const network = await engine.network.create({
    Name: `gatecheck-${runId}`,
    Driver: 'bridge',
    Labels: { ...labels },
  });
  const { IPAM } = await network.inspect();
  const gateway = IPAM?.Config?.find((config) => config.Gateway !== undefined)?.Gateway ?? null;
  // Podman gives the bridge its address with the first container on it.
  const isReached = gateway !== null && ((await isOwn(gateway)) || (await sharesNetworks(engine)));
  return { id: network.id, gateway: isReached ? gateway : null };
}
