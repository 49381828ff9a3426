import type { Clock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import type { JsonObject } from '../../judge/kernel/body.ts';
import type { Journal } from '../../send/journal.ts';
import type { Pacer } from '../../send/pacer.ts';
import { StateHandlerError, type StateHandler } from '../../target/stateHandler.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Ledger } from '../observe/ledger.ts';
import type { Listener } from '../observe/events.ts';
import type { ServerClock } from './serverClock.ts';
import type { Observer } from '../observe/observer.ts';
import { PendingLooks } from './pendingLooks.ts';
import type { StateTrust } from '../health/stateTrust.ts';

/** Callbacks for what a state does to the deployment. */
interface StateWatchers {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly pacer: Pacer;
  readonly observer: Observer;
  readonly journal: Pick<Journal, 'event'>;
  /** Steps of the part before, in a continued run. */
  readonly stepsBefore?: number | undefined;
  readonly redactor: Redactor;
  readonly tell: Listener;
  readonly trust: StateTrust;
}

/** The name of the journal event before a state is set. */
export const stateEvent = 'state';

/** States that change nothing: they are not side effects of a run. */
const readingStates: ReadonlySet<string> = new Set(['capabilities', 'callbacks.pending', 'entitlement.get']);

/** States that are left out of the evidence, since they say nothing. */
const unnoted: ReadonlySet<string> = new Set(['capabilities', 'callbacks.route']);
const longestShown = 4000;
const longestNoted = 1 << 16;

/** Asks the state handler for its time; if it does not say, the time is found out in other ways. */
export async function askTime(stateHandler: StateHandler, serverClock: ServerClock): Promise<void> {
  if (stateHandler.states.length === 0) return;
  const { now } = await stateHandler.set('capabilities', {}).catch((): JsonObject => ({}));
  if (typeof now === 'string') serverClock.set(Date.parse(now));
}

/** The state handler, with its effects recorded and its clock followed. */
export function watchState(stateHandler: StateHandler, watchers: StateWatchers): StateHandler {
  const { clock, ledger, pacer, observer, redactor, tell, journal, trust } = watchers;
  const { serverClock } = observer;
  const proveClock = clockProof(stateHandler, clock);
  const proven: StateHandler['set'] = (state, params) => {
    const asked = stateHandler.set(state, params);
    return state === 'clock.advance' ? asked.then(proveClock) : asked;
  };
  const done = (state: string, params: JsonObject) => {
    trust.confirmed(state, params);
    if (state === 'reset') observer.forget();
    if (state !== 'clock.advance') return;
    serverClock.move(Number(params.seconds) * 1000);
    if (stateHandler.clock.has('rate-limits')) pacer.age(Number(params.seconds) * 1000);
  };
  const stepping = { clock, redactor, clockBook: serverClock, stepsBefore: watchers.stepsBefore, done };
  const noted = withSteps({ ...stateHandler, set: proven }, stepping, (step, params) => {
    const { operation: state, error } = step;
    if (!readingStates.has(state))
      tell({ name: 'state-set', state, params: params.slice(0, longestShown), error });
    observer.note(step);
  });
  return {
    ...stateHandler,
    offers: (state) => trust.foreign === null && stateHandler.offers(state),
    set: async (state, params) => {
      if (trust.foreign !== null) throw new StateHandlerError(state, trust.foreign);
      if (state === 'clock.advance' && serverClock.isDoubtful)
        throw new StateHandlerError(state, 'it tells a time that no answer of the target agrees with');
      if (!readingStates.has(state)) journal.event(clock.now(), stateEvent, { state });
      const answer = await noted.set(state, params);
      if (typeof answer.now === 'string') serverClock.set(Date.parse(answer.now));
      if (!readingStates.has(state)) ledger.state(state, clock.now());
      return answer;
    },
  };
}

interface Stepping {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly clockBook: { readonly movedMs: number };
  /** Steps of the part before, in a continued run. */
  readonly stepsBefore?: number | undefined;
  /** Called before the step is noted. */
  readonly done?: (state: string, params: JsonObject) => void;
}

/** The state handler, whose steps are noted: whoever judges records has to know what moved them. */
export function withSteps(
  stateHandler: StateHandler,
  { clock, redactor, clockBook, stepsBefore = 0, done }: Stepping,
  note: (step: Step, params: string) => void,
): StateHandler {
  let steps = stepsBefore;
  const pending = new PendingLooks();
  const end = (operation: string, given: JsonObject, ended: Pick<Step, 'startedAt' | Result>) => {
    if (unnoted.has(operation) || (operation === 'callbacks.pending' && !pending.isNews(ended.told))) return;
    const params = redactor.redact(JSON.stringify(given));
    const step = { type: 'step', id: `s${(steps += 1)}`, operation, ...ended, endedAt: clock.now() } as const;
    const kept = params.length > longestNoted ? null : (JSON.parse(params) as JsonObject);
    note({ ...step, movedMs: clockBook.movedMs, params: kept }, params);
  };
  const set: StateHandler['set'] = async (state, params) => {
    const startedAt = clock.now();
    const answer = await stateHandler.set(state, params).catch((error: unknown) => {
      end(state, params, { startedAt, ...failed(state, error) });
      throw error;
    });
    done?.(state, params);
    end(state, params, { startedAt, outcome: 'done', error: null, told: toldBy(answer) });
    return answer;
  };
  return { ...stateHandler, set };
}

type Result = 'outcome' | 'error' | 'told';

/** Of a clock the handler may only have said that it moved it. */
function failed(state: string, error: unknown): Pick<Step, Result> {
  const isRefused = error instanceof StateHandlerError && error.answered && state !== 'clock.advance';
  return {
    outcome: isRefused ? 'refused' : 'unknown',
    error: error instanceof Error ? error.message : String(error),
    told: {},
  };
}

/** Of texts only those that are no secrets: a handler may tell keys under any name. */
function toldBy(answer: JsonObject): JsonObject {
  const isTold = ([name, value]: readonly [string, unknown]) =>
    typeof value === 'number' || typeof value === 'boolean' || ['now', 'status'].includes(name);
  return Object.fromEntries(Object.entries(answer).filter(isTold));
}

/** How much two times that a handler tells may differ from what our clock shows between them. */
const slackMs = 5_000;

/**
 * Asks the handler once, after it has moved the clock for the first time, whether its clock shows the time that it told. If not,
 * it does not move the clock as it says: what depends on that says nothing about the deployment.
 */
function clockProof(
  handler: Pick<StateHandler, 'set'>,
  clock: Clock,
): (answer: JsonObject) => Promise<JsonObject> {
  let fault: Promise<string | null> | null = null;
  return async (answer) => {
    const why = await (fault ??= faultOf(answer, handler, clock));
    if (why !== null) throw new StateHandlerError('clock.advance', why);
    return answer;
  };
}

async function faultOf(
  { now: told }: JsonObject,
  handler: Pick<StateHandler, 'set'>,
  clock: Clock,
): Promise<string | null> {
  if (typeof told !== 'string') return null;
  const asked = clock.monotonic();
  const { now } = await handler.set('capabilities', {}).catch((): JsonObject => ({}));
  if (typeof now !== 'string') return null;
  const passed = clock.monotonic() - asked;
  const difference = Date.parse(now) - Date.parse(told);
  if (difference >= -slackMs && difference <= passed + slackMs) return null;
  return `it says that it is ${told} then, but capabilities tells ${now} right after`;
}
