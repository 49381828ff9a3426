import { hostname } from 'node:os';
import { type ContainerRuntimeClient, getContainerRuntimeClient } from 'testcontainers';
import { createServer } from 'node:net';
import { targetError, type GatecheckError } from '../../core/errors.ts';
import { isRunning, startOf } from '../../core/otherProcess.ts';
import type { StartSettings, WaitCondition } from '../../core/settings.ts';

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

/** Whether an address belongs to this machine: a list of interfaces would lack a bridge that is not in use yet. */
export async function isOwn(address: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}

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

/** Labels by which everything that a run starts can be found again. */
const labelNames = {
  run: 'gatecheck.run',
  host: 'gatecheck.host',
  process: 'gatecheck.process',
  startedAt: 'gatecheck.started-at',
} as const;

export type Labels = Readonly<Record<string, string>>;

export function labelsOf(runId: string, now: number): Labels {
  return {
    [labelNames.run]: runId,
    [labelNames.host]: hostname(),
    [labelNames.process]: `${process.pid}:${startOf(process.pid) ?? ''}`,
    [labelNames.startedAt]: String(now),
  };
}

/** No run takes this long: older containers from another machine on a shared engine are abandoned. */
const longestRunMs = 24 * 3_600_000;

/** Whether the process that started something is gone. For another machine, only the age shows that. */
export function isAbandoned(labels: Labels, now: number): boolean {
  if (labels[labelNames.host] !== hostname())
    return now - Number(labels[labelNames.startedAt]) > longestRunMs;
  const [pid = '', start = ''] = (labels[labelNames.process] ?? '').split(':');
  return !isRunning(Number(pid)) || (startOf(Number(pid)) ?? '') !== start;
}

interface Started {
  readonly reference: string;
  readonly start: StartSettings;
}

export function notPulled(reference: string, cause: unknown): GatecheckError {
  return targetError(
    'IMAGE_PULL',
    `Expected to pull the image ${reference}: ${firstLine(cause)}`,
    'Check its name, the network and `docker login`, or build it on this machine before.',
    cause,
  );
}

export function notStarted({ reference }: Started, cause: unknown): GatecheckError {
  return targetError(
    'IMAGE_START',
    `Expected the engine to start a container of ${reference}: ${firstLine(cause)}`,
    'Check image.command, image.files and image.networks in the config.',
    cause,
  );
}

export function diedEarly(
  { reference }: Started,
  exitCode: number,
  lastLines: readonly string[],
): GatecheckError {
  return targetError(
    'IMAGE_DIED',
    `Expected a container of ${reference} to get ready; it ended with exit code ${exitCode}. ${renderTail(lastLines)}`,
    'Check its environment, command and files under image in the config.',
  );
}

export function neverReady({ reference, start }: Started, lastLines: readonly string[]): GatecheckError {
  return targetError(
    'IMAGE_WAIT',
    `Expected a container of ${reference} to ${renderWait(start.waitFor)} within ${start.startupTimeoutMs / 1000} s; it did not. ${renderTail(lastLines)}`,
    'Check image.port, image.waitFor and image.startupTimeout in the config.',
  );
}

export function renderTail(lines: readonly string[]): string {
  if (lines.length === 0) return 'It logged nothing.';
  return ['It logged last:', ...lines.map((line) => `  | ${line}`)].join('\n');
}

function renderWait(condition: WaitCondition): string {
  switch (condition.kind) {
    case 'http':
      return `answer GET ${condition.path} on its port ${condition.port} with ${condition.status ?? 'any status'}`;
    case 'log':
      return `log ${JSON.stringify(condition.text)}`;
    case 'started':
      return 'run';
  }
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0] ?? text;
}
