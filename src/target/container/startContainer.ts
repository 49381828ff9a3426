import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { StartSettings, WaitCondition } from '../../core/settings.ts';
import {
  type Engine,
  type Labels,
  diedEarly,
  neverReady,
  notStarted,
  isPodman,
  runsHere,
  sharesNetworks,
  isOwn,
} from './engine.ts';
import { reachableHost } from '../sinkProof.ts';
import type { SinkHost, LogLine } from '../target.ts';

/** What the containers of a run have in common. */
export interface RunParts {
  readonly engine: Engine;
  readonly runId: string;
  readonly labels: Labels;
  /** The run's own network, in which the containers reach each other by name. */
  readonly network: string;
  readonly thisMachine: ThisMachine;
  readonly log: ContainerLog;
  /** Once aborted, nothing more is started. */
  readonly signal: AbortSignal;
}

interface StartOptions {
  readonly name: string;
  readonly reference: string;
  readonly start: StartSettings;
  /** Ports that must be reachable from outside. */
  readonly ports: readonly number[];
  /** Networks of the engine that it joins in addition to the run's own. */
  readonly networks: readonly string[];
}

export interface RunningContainer {
  readonly container: StartedTestContainer;
  /** Resolves with the exit code if it ends by itself. */
  readonly ended: Promise<number>;
}

/** Starts a container of a run and waits until it is ready; rejects at once if it ends before that. */
export async function startContainer(parts: RunParts, options: StartOptions): Promise<RunningContainer> {
  parts.signal.throwIfAborted();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const container = configure(parts, options, async (id) => {
    parts.signal.throwIfAborted();
    const created = parts.engine.container.getById(id);
    for (const network of options.networks)
      await parts.engine.container.connectToNetwork(created, parts.engine.network.getById(network), []);
    void created.wait({ condition: 'next-exit' }).then(
      ({ StatusCode }: { StatusCode: number }) => end(StatusCode),
      () => undefined,
    );
  });
  const starting = container.start().then(
    (started) => ({ started }),
    (error: unknown) => ({ error }),
  );
  // If it ended, wait only a moment for what the library makes of that.
  const first = await Promise.race([starting, ended.then(() => pause(endedMs))]);
  if (first && 'started' in first) return { container: first.started, ended };
  if (first && isTooLate(first.error)) throw neverReady(options, await readTail(parts, options.name));
  const exitCode = await Promise.race([ended, pause(endedMs)]);
  if (exitCode === null) throw notStarted(options, first?.error);
  throw diedEarly(options, exitCode, await readTail(parts, options.name));
}

const endedMs = 2000;

async function pause(ms: number): Promise<null> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return null;
}

type OnCreated = (id: string) => Promise<void>;

/** The hook runs after the container is created and before it is started. */
class HookedContainer extends GenericContainer {
  readonly #onCreated: OnCreated;

  constructor(reference: string, onCreated: OnCreated) {
    super(reference);
    this.#onCreated = onCreated;
  }

  protected override async containerCreated(id: string): Promise<void> {
    await this.#onCreated(id);
  }
}

function configure(parts: RunParts, options: StartOptions, onCreated: OnCreated): GenericContainer {
  const { name, reference, start, ports } = options;
  const { name: thisMachine, ipAddress } = parts.thisMachine;
  const container = new HookedContainer(reference, onCreated)
    .withName(containerName(parts.runId, name))
    .withLabels({ ...parts.labels })
    // We clean up by our own labels: the reaper of testcontainers is another image to pull, with access to the engine's socket.
    .withAutoCleanup(false)
    .withEnvironment({ ...start.environment })
    .withNetworkMode(parts.network)
    .withNetworkAliases(name)
    .withExtraHosts(ipAddress === null ? [] : [{ host: thisMachine, ipAddress }])
    .withExposedPorts(...new Set(ports))
    .withCopyFilesToContainer(start.files.map((file) => ({ ...file })))
    .withWaitStrategy(waitFor(start.waitFor).withStartupTimeout(start.startupTimeoutMs))
    .withLogConsumer((output) => parts.log.follow(name, output));
  return start.command === null ? container : container.withCommand([...start.command]);
}

function waitFor(condition: WaitCondition) {
  switch (condition.kind) {
    case 'log':
      return Wait.forLogMessage(condition.text);
    case 'started':
      return Wait.forAll([]);
    case 'http': {
      const { path, port, status } = condition;
      const answer = Wait.forHttp(path, port, { abortOnContainerExit: true });
      return status === null ? answer.forStatusCodeMatching(() => true) : answer.forStatusCode(status);
    }
  }
}

function containerName(runId: string, name: string): string {
  return `gatecheck-${runId}-${name}`;
}

/** Whether it is running, and merely did not get ready. */
function isTooLate(error: unknown): boolean {
  return error instanceof Error && /not accessible after|not received after/.test(error.message);
}

/** The last lines that it wrote; one that ended at once has not been followed yet. */
async function readTail({ engine, runId, log }: RunParts, name: string): Promise<readonly string[]> {
  if (log.tail(name).length > 0) return log.tail(name);
  const output = await engine.container.logs(engine.container.getById(containerName(runId, name)), {
    tail: 50,
  });
  log.follow(name, output);
  await settle(output, 2000);
  return log.tail(name);
}

/** How containers reach this machine. */
interface ThisMachine extends SinkHost {
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

/** A server that logs a lot must not fill the memory: beyond this, the oldest lines are dropped. */
const mostLines = 50_000;
const longestLine = 4000;

/** The lines of all containers of a run, with their times of arrival. */
export class ContainerLog {
  readonly #now: () => number;
  #lines: LogLine[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Follows the output of a container until it ends. */
  follow(container: string, output: Readable): void {
    let rest = '';
    output.on('data', (chunk: Buffer | string) => {
      const pieces = (rest + chunk.toString()).split('\n');
      rest = (pieces.pop() ?? '').slice(0, longestLine);
      for (const text of pieces) this.#add(container, text);
    });
    output.on('end', () => {
      if (rest !== '') this.#add(container, rest);
    });
    // A log that breaks off is no reason to abort the run.
    output.on('error', () => undefined);
  }

  /** The last lines of a container, for an error message. */
  tail(container: string, count = 15): readonly string[] {
    return this.#lines
      .filter((line) => line.container === container)
      .slice(-count)
      .map(({ text }) => text);
  }

  #add(container: string, text: string): void {
    const clean = text.replace(/\r$/, '').slice(0, longestLine);
    this.#lines.push({ at: this.#now(), container, text: clean });
    if (this.#lines.length > 2 * mostLines) this.#lines = this.#lines.slice(-mostLines);
  }
}

/** Reads an output to its end, or as far as it comes within `ms`. */
export async function settle(output: Readable, ms: number): Promise<void> {
  await finished(output, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
}

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
