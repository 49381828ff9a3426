import type { Engine } from './engine.ts';
import type { Labels } from './labels.ts';

interface RunNetwork {
  readonly id: string;
  readonly gateway: string | null;
}

/** Creates the network in which the containers of a run reach each other by name. */
export async function openNetwork(engine: Engine, runId: string, labels: Labels): Promise<RunNetwork> {
  const network = await engine.network.create({
    Name: `gatecheck-${runId}`,
    Driver: 'bridge',
    Labels: { ...labels },
  });
  const { IPAM } = await network.inspect();
  const gateway = IPAM?.Config?.find((config) => config.Gateway !== undefined)?.Gateway ?? null;
  return { id: network.id, gateway };
}
