import { networkInterfaces } from 'node:os';
import type { Engine } from './engine.ts';
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
  return { id: network.id, gateway: gateway !== null && isOwn(gateway) ? gateway : null };
}

/** Whether an address is one of this machine. */
export function isOwn(address: string): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === address);
}
