import type { Settings } from '../../src/core/settings.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import type { VirtualClock } from '../../src/core/virtualClock.ts';
import { noSink, openRun } from '../../src/engine/session/openRun.ts';
import { Session } from '../../src/engine/session/session.ts';
import type { EngineCheck } from '../../src/engine/suite.ts';
import { readSuites } from '../../src/engine/session/suites.ts';
import { resolveSettings, type Config } from '../../src/index.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planOpen } from '../../src/run/planRun.ts';
import { createInProcessTransport } from '../../src/send/inProcessTransport.ts';
import { noJournal } from '../../src/send/journal.ts';
import type { Transport } from '../../src/send/transport.ts';
import { KeyRing } from '../../src/send/keyRing.ts';
import { noStateHandler, type StateHandler } from '../../src/target/stateHandler.ts';

export interface VirtualRun {
  readonly plan: Plan<EngineCheck>;
  readonly session: Session;
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  readonly exchanges: readonly Exchange[];
  readonly notices: readonly string[];
  /** Virtual milliseconds that it took. */
  readonly ms: number;
}

interface VirtualRunOptions {
  readonly app: (request: Request) => Promise<Response>;
  readonly clock: VirtualClock;
  readonly config?: Config;
  readonly primary: readonly string[];
  readonly other?: readonly string[];
  /** Puts something between the run and the app. */
  readonly transport?: (own: Transport) => Transport;
  readonly stateHandler?: StateHandler;
  /** Folder of what runs know of each other. */
  readonly memory?: string;
}

/** Address of the app. */
export const baseUrl = 'http://127.0.0.1:1';

const same = (own: Transport): Transport => own;

/** A run of all suites against an app without a socket, as against a server of this machine, in virtual time. */
export async function virtualRun(options: VirtualRunOptions): Promise<VirtualRun> {
  const { app, clock, primary, other = [], memory, stateHandler = noStateHandler } = options;
  const settings = resolveSettings(
    { target: baseUrl, seed: 1, ...options.config, keys: { primary: 'env:KEYS' } },
    { env: { KEYS: primary.join(',') } },
  );
  const exchanges: Exchange[] = [];
  const notices: string[] = [];
  await using run = await openRun(settings, {
    ...{ id: `virtual-${clock.now()}`, clock, memory, openSink: noSink },
    listener: (event) => event.name === 'notice' && notices.push(event.text),
    openJournal: () => ({ ...noJournal, exchange: (exchange) => exchanges.push(exchange) }),
    openTarget: () =>
      Promise.resolve({
        kind: 'url',
        baseUrls: { webcheckin: baseUrl, 'flight-alerts': baseUrl },
        transport: (options.transport ?? same)(createInProcessTransport(app, clock)),
        keys: KeyRing.of({ primary, other, special: {} }),
        stateHandler,
        close: () => Promise.resolve(),
      }),
  });
  const checks = await readSuites();
  const plan = planOpen(run, checks);
  const startedAt = clock.monotonic();
  const session = new Session(run, { plan, width: 2 });
  await session.run();
  return { plan, session, settings, checks, exchanges, notices, ms: clock.monotonic() - startedAt };
}
