import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import { createIdentities } from '../generate/kit/identity.ts';
import type { Sink } from '../receive/sink.ts';
import type { Client } from '../send/client.ts';
import { noKeptState, openKeptState } from '../send/keptState.ts';
import type { Pacer } from '../send/pacer.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { Target } from '../target/target.ts';
import type { ContextBase } from './attempt.ts';
import { createCallbacks } from './callbacks.ts';
import type { DecisionLog } from './decisionLog.ts';
import type { Dialect } from './dialect.ts';
import type { Listener } from './events.ts';
import { createFixtures } from './fixtures.ts';
import type { LimitsBook } from './limitsBook.ts';
import type { SecretWatch } from './secretWatch.ts';
import type { ServerClock } from './serverClock.ts';

/** What a session is made of, as far as its checks use it. */
export interface SessionParts {
  readonly runId: string;
  readonly settings: Settings;
  readonly target: Target;
  readonly state: StateHandler;
  readonly sink: Sink | null;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly pacer: Pacer;
  readonly client: Client;
  readonly dialect: Dialect;
  readonly limitsBook: LimitsBook;
  readonly decisions: DecisionLog;
  readonly secrets: SecretWatch;
  readonly listener: Listener;
  readonly paceFile: string | null;
  /** Whether checks may wait for windows of a minute and more. */
  readonly isPatient: boolean;
  /** When the session was made, by the monotonic clock. */
  readonly startedAt: number;
  readonly signal: AbortSignal;
}

/** What all checks of a session share. */
export function createContextBase(parts: SessionParts): ContextBase {
  const { settings, target, clock, serverClock, pacer, dialect, state, sink, signal, paceFile } = parts;
  const identities = createIdentities(parts.runId, settings.seed);
  const now = () => serverClock.now();
  return {
    apis: settings.apis,
    settings,
    keys: target.keys,
    dialect,
    identities,
    fixtures: createFixtures({
      settings,
      identities,
      now,
      state,
      keys: target.keys,
      dialect,
      send: (request, purpose) => parts.client.send(request, `fixture.${purpose}`),
    }),
    now,
    monotonic: () => clock.monotonic(),
    wallClock: () => clock.now(),
    kept: paceFile === null ? noKeptState : openKeptState(dirname(paceFile)),
    usedBefore: (key) =>
      pacer
        .window(key)
        .recent(clock.monotonic())
        .filter((at) => at < parts.startedAt),
    decisionsOf: (key) => parts.decisions.of(key.label),
    isPatient: parts.isPatient,
    tell: (text) => parts.listener({ name: 'notice', text }),
    limitsBook: parts.limitsBook,
    sleep: (ms) => clock.sleep(ms, signal),
    observe: (openPoint, variant, evidence, detail) =>
      dialect.observe(openPoint, variant, evidence ?? null, detail ?? null),
    state,
    callbacks: createCallbacks({ sink, state, clock, signal }),
    adoptKeys: (enterprise, values) => parts.secrets.adopt(enterprise, values),
    specialKey: (name) => {
      const key = target.keys.special(name);
      if (!key) throw new Error(`a check uses the ${name} key without naming it in its needs`);
      return key;
    },
  };
}
