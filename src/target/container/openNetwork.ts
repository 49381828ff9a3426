import { createServer } from 'node:net';
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
  return { id: network.id, gateway: gateway !== null && (await isOwn(gateway)) ? gateway : null };
}

/** Whether an address is one of this machine: a list of interfaces would leave out a bridge that nobody uses yet. */
export async function isOwn(address: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}
