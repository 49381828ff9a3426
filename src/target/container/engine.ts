import { hostname } from 'node:os';
import { type ContainerRuntimeClient, getContainerRuntimeClient } from 'testcontainers';
import { targetError } from '../../core/errors.ts';
import { isOwn } from './isOwn.ts';

/** A container engine with Docker's API: Docker, or Podman by its socket. */
export type Engine = ContainerRuntimeClient;

/** Finds the engine by `DOCKER_HOST`, the usual sockets and the configuration of testcontainers. */
export async function connectEngine(): Promise<Engine> {
  const engine = await findEngine();
  const { containerRuntime } = engine.info;
  // If this machine is itself a container, the library uses the gateway of the engine's network: loopback works as well, and Podman has
  // no such address before its first container.
  if ((await isOwn(containerRuntime.host)) || (await runsHere(engine))) {
    containerRuntime.host = '127.0.0.1';
    containerRuntime.hostIps = [{ address: '127.0.0.1', family: 4 }];
  }
  return engine;
}

async function findEngine(): Promise<Engine> {
  try {
    return await getContainerRuntimeClient();
  } catch (cause) {
    const asked = process.env.DOCKER_HOST ?? '/var/run/docker.sock and the sockets of the user';
    throw targetError(
      'ENGINE',
      `Expected a container engine to start the image with; none answered at ${asked}.`,
      'Start Docker or the Podman service, or name its socket in DOCKER_HOST.',
      cause,
    );
  }
}

/** Whether an engine is reached by a socket of the file system, not over the network. */
export function isLocal(engine: Engine): boolean {
  const { socketPath } = engine.container.dockerode.modem as { readonly socketPath?: string };
  return socketPath !== undefined;
}

/** Whether the engine is a process of this machine, not of a virtual one behind the socket. */
export async function runsHere(engine: Engine): Promise<boolean> {
  return isLocal(engine) && (await infoOf(engine)).Name === hostname();
}

/** Whether the engine's networks are those of this machine: without root, an engine has a namespace of its own for them. */
export async function sharesNetworks(engine: Engine): Promise<boolean> {
  const { SecurityOptions, Rootless } = await infoOf(engine);
  const isRootless = Rootless === true || (SecurityOptions ?? []).includes('name=rootless');
  return (await runsHere(engine)) && !isRootless;
}

export async function isPodman(engine: Engine): Promise<boolean> {
  return (await infoOf(engine)).BuildahVersion !== undefined;
}

interface EngineInfo {
  readonly Name: string;
  readonly SecurityOptions: readonly string[] | null;
  /** Only Podman has this and the next. */
  readonly Rootless?: boolean;
  readonly BuildahVersion?: string;
}

async function infoOf(engine: Engine): Promise<EngineInfo> {
  return (await engine.container.dockerode.info()) as EngineInfo;
}
