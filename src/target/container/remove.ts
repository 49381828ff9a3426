import type { Engine } from './engine.ts';
import { isAbandoned, labelNames, type Labels } from './labels.ts';

/** Removes everything that a run has started, at once and with its volumes. */
export async function removeRun(engine: Engine, runId: string): Promise<void> {
  await removeWhere(engine, (labels) => labels[labelNames.run] === runId);
}

/** Removes what runs left that ended without cleaning up; returns the number of containers and networks. */
export async function sweep(engine: Engine, now: number): Promise<number> {
  return removeWhere(engine, (labels) => isAbandoned(labels, now));
}

async function removeWhere(engine: Engine, isMeant: (labels: Labels) => boolean): Promise<number> {
  const { dockerode } = engine.container;
  const filters = { label: [labelNames.run] };
  const containers = (await dockerode.listContainers({ all: true, filters }))
    .filter(({ Labels }) => isMeant(Labels))
    .map(({ Id }) => Id);
  await Promise.all(
    containers.map(async (id) => {
      const container = dockerode.getContainer(id);
      // Podman would give it ten seconds to end by itself.
      await container.kill().catch(() => undefined);
      await remove(container, { force: true, v: true });
    }),
  );
  const networks = (await dockerode.listNetworks({ filters }))
    .filter(({ Labels }) => isMeant(Labels ?? {}))
    .map(({ Id }) => Id);
  await Promise.all(networks.map((id) => remove(dockerode.getNetwork(id), {})));
  return containers.length + networks.length;
}

interface Removable<Options> {
  remove(options: Options): Promise<unknown>;
}

/** If another process removes it at the same time, it is gone, which is enough. */
async function remove<Options>(thing: Removable<Options>, options: Options): Promise<void> {
  try {
    await thing.remove(options);
  } catch (error) {
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
    if (status !== 404 && status !== 409) throw error;
  }
}
