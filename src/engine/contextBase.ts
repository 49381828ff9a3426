import { createIdentities } from '../generate/kit/identity.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { ContextBase } from './attempt.ts';
import { createCallbacks } from './callbacks.ts';
import type { DecisionLog } from './decisionLog.ts';
import type { Dialect } from './dialect.ts';
import { createFixtures } from './fixtures.ts';
import type { LimitsBook } from './limitsBook.ts';
import type { OpenRun } from './openRun.ts';
import type { Traffic } from './traffic.ts';
import type { Witness } from './witness.ts';

/** What the checks of a session use beside the run itself. */
export interface Shared {
  readonly traffic: Traffic;
  /** The state handler, with its effects on record. */
  readonly state: StateHandler;
  readonly witness: Witness;
  readonly dialect: Dialect;
  readonly limitsBook: LimitsBook;
  readonly decisions: DecisionLog;
  /** Whether checks may wait for windows of a minute and more. */
  readonly isPatient: boolean;
}

/** What all checks of a session share. */
export function createContextBase(run: OpenRun, shared: Shared): ContextBase {
  const { settings, target, clock, pacer, sink } = run;
  const { dialect, limitsBook, decisions, isPatient, state, witness } = shared;
  const { client, ending } = shared.traffic;
  const identities = createIdentities(run.id, settings.seed);
  const startedAt = clock.monotonic();
  const now = () => witness.serverClock.now();
  const send = (request: Parameters<typeof client.send>[0], purpose: string) =>
    client.send(request, `fixture.${purpose}`);
  const fixtures = createFixtures({ settings, identities, now, state, keys: target.keys, dialect, send });
  return {
    ...{ apis: settings.apis, settings, keys: target.keys, dialect, identities, fixtures, now },
    ...{ isPatient, limitsBook, state, kept: run.kept },
    clocks: () => witness.serverClock.candidates(),
    monotonic: () => clock.monotonic(),
    wallClock: () => clock.now(),
    usedBefore: (key) =>
      pacer
        .window(key)
        .recent(clock.monotonic())
        .filter((at) => at < startedAt),
    decisionsOf: (key) => decisions.of(key.label),
    tell: (text) => run.tell({ name: 'notice', text }),
    sleep: (ms) => clock.sleep(ms, ending.signal),
    observe: (openPoint, variant, evidence, detail) =>
      dialect.observe(openPoint, variant, evidence ?? null, detail ?? null),
    callbacks: createCallbacks({ sink, state, clock, signal: ending.signal }),
    adoptKeys: (enterprise, values) => witness.secrets.adopt(enterprise, values),
    specialKey: (name) => {
      const key = target.keys.special(name);
      if (!key) throw new Error(`a check uses the ${name} key without naming it in its needs`);
      return key;
    },
  };
}
