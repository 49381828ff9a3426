import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { Redactor } from '../../src/core/redact.ts';
import type { VirtualClock } from '../../src/core/virtualClock.ts';
import { Session } from '../../src/engine/session.ts';
import type { EngineCheck } from '../../src/engine/suite.ts';
import { loadSuites } from '../../src/engine/suites.ts';
import { resolveSettings, type Config } from '../../src/index.ts';
import { oracles } from '../../src/judge/oracles.ts';
import { budgetsOf } from '../../src/plan/budgets.ts';
import { capabilitiesOf } from '../../src/plan/capabilities.ts';
import { makePlan, type Plan } from '../../src/plan/plan.ts';
import { createInProcessTransport } from '../../src/send/inProcessTransport.ts';
import { reachOf } from '../../src/receive/sink.ts';
import { noJournal } from '../../src/send/journal.ts';
import { KeyRing } from '../../src/send/keyRing.ts';
import { noStateHandler } from '../../src/target/stateHandler.ts';

export interface VirtualRun {
  readonly plan: Plan<EngineCheck>;
  readonly session: Session;
  readonly exchanges: readonly Exchange[];
  /** Virtual milliseconds that it took. */
  readonly ms: number;
}

export interface VirtualRunOptions {
  readonly app: (request: Request) => Promise<Response>;
  readonly clock: VirtualClock;
  readonly config?: Config;
  readonly primary: readonly string[];
  readonly other?: readonly string[];
  readonly paceFile?: string;
}

/** A run of all suites against an app without a socket, as against a server of this machine, in virtual time. */
export async function virtualRun(options: VirtualRunOptions): Promise<VirtualRun> {
  const { clock } = options;
  const baseUrl = 'http://127.0.0.1:1';
  const settings = resolveSettings(
    { target: baseUrl, seed: 1, ...options.config, keys: { primary: 'env:KEYS' } },
    { env: { KEYS: options.primary.join(',') } },
  );
  const keys = KeyRing.of({ primary: options.primary, other: options.other ?? [], special: {} });
  const catalogue = loadCatalogue();
  const budgets = budgetsOf(settings);
  const capabilities = capabilitiesOf(settings, budgets, { states: [], keys, reach: reachOf(null) });
  const checks = await loadSuites();
  const plan = makePlan({ checks, catalogue, settings, budgets, capabilities, keys: keys.primary.length });
  const exchanges: Exchange[] = [];
  const startedAt = clock.monotonic();
  const session = new Session({
    runId: `virtual-${exchanges.length}-${clock.now()}`,
    settings,
    plan,
    catalogue,
    oracles,
    sink: null,
    target: {
      kind: 'url',
      baseUrls: { webcheckin: baseUrl, 'flight-alerts': baseUrl },
      transport: createInProcessTransport(options.app, clock),
      keys,
      stateHandler: noStateHandler,
      close: () => Promise.resolve(),
    },
    clock,
    journal: { ...noJournal, exchange: (exchange) => exchanges.push(exchange) },
    redactor: new Redactor(),
    listener: () => undefined,
    signal: new AbortController().signal,
    width: 2,
    onDemand: null,
    paceFile: options.paceFile ?? null,
  });
  await session.run();
  return { plan, session, exchanges, ms: clock.monotonic() - startedAt };
}
