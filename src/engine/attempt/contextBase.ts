import { newRunId } from '../../core/runId.ts';
import { createIdentities } from '../../generate/kit/identity.ts';
import type { KeyRing } from '../../send/keyRing.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { ContextBase } from './context.ts';
import { createCallbacks, type Callbacks } from '../observe/callbacks.ts';
import type { RunObservations } from '../observe/runObservations.ts';
import type { OpenRun } from '../session/openRun.ts';
import type { Turn } from './turn.ts';
import { waitBehind } from '../observe/waitBehind.ts';

/** Long enough for a millisecond clock to show another time. */
const promptMs = 5;

interface Own extends Pick<ContextBase, 'spare'> {
  readonly state: StateHandler;
  readonly signal: AbortSignal;
}

/** What all checks of a session share. The effects of `state` are recorded, and `signal` ends waits. */
export function createContextBase(
  run: OpenRun,
  {
    dialect,
    limitsBook,
    decisions,
    isPatient,
    observer,
    trust,
    seenIds: unknown,
    ...observations
  }: RunObservations,
  { state, signal, spare }: Own,
): ContextBase {
  const { settings, target, clock, pacer, sink, kept } = run;
  const startedAt = clock.monotonic();
  return {
    ...{
      apis: settings.apis,
      settings,
      keys: target.keys,
      dialect,
      isPatient,
      limitsBook,
      state,
      kept,
      unknown,
      claim: observations.claim,
    },
    spare,
    broken: observations.broken,
    tellStory: (exchange, story) => observations.stories.tell(exchange, story),
    // A continued run must not make again what it made before it was cut short, nor what another continuation of a copy made.
    identities: createIdentities(
      run.earlier === null ? run.id : `${run.id}/${newRunId(clock)}`,
      settings.seed,
    ),
    now: () => observer.serverClock.now(),
    clocks: () => observer.serverClock.candidates(),
    isClockSure: () => observer.serverClock.isSure(state.clock.has('lead-time')),
    monotonic: () => clock.monotonic(),
    wallClock: () => clock.now(),
    usedBefore: (key) =>
      pacer
        .window(key)
        .recent(clock.monotonic())
        .filter((at) => at < startedAt),
    sharedLimit: () => pacer.shared[0]?.window ?? null,
    decisionsOf: (key) => decisions.of(key.label),
    tell: (text) => run.tell({ name: 'notice', text }),
    sleep: (ms) => clock.sleep(ms, signal),
    grace: (ms) => (target.isPrompt === true ? Math.min(ms, promptMs) : ms),
    observe: (openPoint, variant, evidence, detail) =>
      dialect.observe(openPoint, variant, evidence ?? null, detail ?? null),
    callbacks: createCallbacks({
      ...{ sink, state, clock, signal, isPrompt: target.isPrompt },
      // The host name of the sink leads to it only where the handler has routed it.
      whyAstray: () =>
        target.stateHandler.offers('callbacks.route') && settings.sink.publicUrl === null
          ? trust.foreign
          : null,
      onCome: (ms) => run.tell({ name: 'callback-awaited', ms }),
    }),
    adoptKeys: (enterprise, values) => observer.secrets.adopt(enterprise, values),
    specialKey: (name) => {
      const key = target.keys.special(name);
      if (!key) throw new Error(`a check uses the ${name} key without naming it in its needs`);
      return key;
    },
  };
}

/** What differs from check to check. */
interface OwnView {
  readonly keys: KeyRing;
  /** Called with the name of each state that the check sets. */
  readonly onState: (state: string) => void;
  /** Lets time pass on the clock of the deployment's callbacks; resolves to whether it did. */
  readonly pass: (ms: number) => Promise<boolean>;
}

/** The same for one check with its view of the keys: while it waits, others continue. */
export function contextFor(base: ContextBase, { keys, onState, pass }: OwnView, { rest }: Turn): ContextBase {
  const callbacks: Callbacks = {
    ...base.callbacks,
    wait: waitBehind({
      wait: (...waiting) => rest(() => base.callbacks.wait(...waiting)),
      mayRepeat: base.callbacks.mayRepeat,
      pass,
      soonMs: base.grace(1_000),
    }),
    settle: (...waiting) => rest(() => base.callbacks.settle(...waiting)),
  };
  const state: StateHandler = {
    ...base.state,
    set: (name, params) => {
      onState(name);
      return base.state.set(name, params);
    },
  };
  return { ...base, keys, callbacks, state, sleep: (ms) => rest(() => base.sleep(ms)) };
}
