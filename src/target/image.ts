import { randomBytes } from 'node:crypto';
import { ImageName, type StartedTestContainer } from 'testcontainers';
import type { Clock } from '../core/clock.ts';
import { exitCodes, GatecheckError, targetError } from '../core/errors.ts';
import type { ContainerSettings, Settings, StateHandlerSettings } from '../core/settings.ts';
import { isLoopback } from '../core/loopback.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { withBursts } from './bursts.ts';
import {
  ContainerLog,
  type RunningContainer,
  type RunParts,
  startContainer,
  findThisMachine,
  openNetwork,
} from './container/startContainer.ts';
import {
  connectEngine,
  type Engine,
  isLocal,
  removeRun,
  sweep,
  labelsOf,
  notPulled,
  renderTail,
} from './container/engine.ts';
import { watchOver } from './container/watchdog.ts';
import type { Target } from './target.ts';
import { undoing } from './undoing.ts';
import { keyRingOf, openStateHandler } from './url.ts';

interface ImageOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tells the user what takes time, or failed on the way. */
  readonly notice: (text: string) => void;
}

const ownName = 'target';

/** A deployment that is started from a container image, with its dependencies, and removed at the end. */
export async function openImageTarget(options: ImageOptions): Promise<Target> {
  const engine = await connectEngine();
  const swept = await sweep(engine, options.clock.now());
  if (swept > 0) options.notice(`Removed ${swept} containers and networks that earlier runs had left.`);
  const runId = randomBytes(4).toString('hex');
  const watchdog = watchOver(runId);
  const remove = async () => {
    await removeRun(engine, runId);
    watchdog.release();
  };
  const starting = startTarget(engine, runId, { ...options, remove });
  try {
    return await untilInterrupted(options.signal, starting);
  } catch (error) {
    await removeRun(engine, runId);
    // What was being created at that moment exists a little later.
    await Promise.race([starting.catch(() => undefined), options.clock.sleep(2000)]);
    await remove();
    throw error;
  }
}

interface Starting extends ImageOptions {
  readonly remove: () => Promise<void>;
}

async function startTarget(engine: Engine, runId: string, options: Starting): Promise<Target> {
  const { settings, clock } = options;
  if (settings.target.kind !== 'image') throw new Error('openImageTarget needs a target given by its image');
  const { reference, container: how } = settings.target;
  for (const one of [...how.dependencies, { reference }])
    await pull(engine, one.reference, { when: how.pull, notice: options.notice });
  options.signal.throwIfAborted();
  const labels = labelsOf(runId, clock.now());
  const { id: network, gateway } = await openNetwork(engine, runId, labels);
  const thisMachine = await findThisMachine(engine, gateway);
  const log = new ContainerLog(() => clock.now());
  const parts: RunParts = { engine, runId, labels, network, thisMachine, log, signal: options.signal };
  const running = await startAll(parts, reference, how);
  const { container } = running;
  const { handler, undo } = undoing(
    await openStateHandler(
      stateHandlerOf(engine, settings, { own: how.stateHandler, container }),
      settings,
      clock,
    ),
  );
  const transport = withBursts(createUndiciTransport(settings.http, clock), settings.http, clock);
  const baseUrl = addressOf(container, how.port);
  let isClosing = false;
  let lost: string | null = null;
  void running.ended.then((code) => {
    if (isClosing) return;
    lost = `the container of ${reference} ended with exit code ${code}`;
    options.notice(`${lost}. ${renderTail(log.tail(ownName))}`);
  });
  return {
    kind: 'image',
    image: reference,
    baseUrls: { webcheckin: baseUrl, 'flight-alerts': baseUrl },
    transport,
    keys: keyRingOf(settings),
    stateHandler: handler,
    sinkHost: thisMachine,
    log: () => log.lines,
    whyLost: () => lost,
    close: async () => {
      isClosing = true;
      if (lost === null) await undo();
      await transport.close();
      await options.remove();
    },
  };
}

async function startAll(
  parts: RunParts,
  reference: string,
  how: ContainerSettings,
): Promise<RunningContainer> {
  for (const dependency of how.dependencies) {
    const { name, waitFor } = dependency;
    const ports = waitFor.kind === 'http' ? [waitFor.port] : [];
    await startContainer(parts, {
      name,
      reference: dependency.reference,
      start: dependency,
      ports,
      networks: [],
    });
  }
  const ports = [
    how.port,
    how.stateHandler?.port,
    how.waitFor.kind === 'http' ? how.waitFor.port : undefined,
  ];
  return startContainer(parts, {
    name: ownName,
    reference,
    start: how,
    ports: ports.filter((port) => port !== undefined),
    networks: how.networks,
  });
}

async function pull(
  engine: Engine,
  reference: string,
  { when, notice }: { readonly when: ContainerSettings['pull']; readonly notice: ImageOptions['notice'] },
): Promise<void> {
  const name = ImageName.fromString(reference);
  const isThere = await engine.image.exists(name).catch(() => false);
  if (isThere && when === 'missing') return;
  notice(`Pulling the image ${reference}.`);
  try {
    await engine.image.pull(name, { force: true, platform: undefined });
    // The pull itself does not report errors after the engine's first answer.
    await engine.image.inspect(name);
  } catch (cause) {
    throw notPulled(reference, cause);
  }
}

/** Keys are sent there: within a machine that is fine, but never between machines in clear text. */
function stateHandlerOf(
  engine: Engine,
  settings: Settings,
  { own, container }: { own: ContainerSettings['stateHandler']; container: StartedTestContainer },
): StateHandlerSettings | null {
  if (own === null || settings.stateHandler !== null) return settings.stateHandler;
  const url = `${addressOf(container, own.port)}${own.path}`;
  if (isLoopback(url) || isLocal(engine)) return { url, auth: own.auth };
  throw targetError(
    'STATE_HANDLER',
    `Expected the state handler of the container on this machine, since keys go there in clear text; the engine offers it at ${url}.`,
    'Use an engine of this machine, or leave image.stateHandler out of the config.',
  );
}

function addressOf(container: StartedTestContainer, port: number): string {
  return `http://${container.getHost()}:${container.getMappedPort(port)}`;
}

/** The caller removes what was started until then. */
async function untilInterrupted<T>(signal: AbortSignal, starting: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () =>
    reject(
      new GatecheckError('INTERRUPTED', 'Interrupted while the image was started; nothing was sent.', {
        exitCode: exitCodes.interrupted,
      }),
    );
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([starting, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
