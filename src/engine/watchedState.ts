import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { JsonObject } from '../judge/kernel/body.ts';
import type { Journal } from '../send/journal.ts';
import type { Pacer } from '../send/pacer.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { Ledger } from './ledger.ts';
import type { Listener } from './events.ts';
import type { ServerClock } from './serverClock.ts';
import type { Observer } from './observer.ts';
import type { StateTrust } from './stateTrust.ts';
import { clockEvent } from './clockBook.ts';
import { clockProof } from './clockProof.ts';

/** Callbacks for what a state does to the deployment. */
interface StateWatchers {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly pacer: Pacer;
  readonly observer: Observer;
  readonly journal: Pick<Journal, 'event'>;
  readonly redactor: Redactor;
  readonly tell: Listener;
  readonly trust: StateTrust;
}

/** The name of the journal event before a state is set. */
export const stateEvent = 'state';

/** States that change nothing: they are not side effects of a run. */
const readingStates: ReadonlySet<string> = new Set(['capabilities', 'callbacks.pending', 'entitlement.get']);

/** States that are left out of the evidence, since they are requested all the time or say nothing. */
const untold: ReadonlySet<string> = new Set([...readingStates, 'callbacks.route']);
const longestParams = 4000;

/** Asks the state handler for its time; if it does not say, the time is found out in other ways. */
export async function askTime(stateHandler: StateHandler, serverClock: ServerClock): Promise<void> {
  if (stateHandler.states.length === 0) return;
  const { now } = await stateHandler.set('capabilities', {}).catch((): JsonObject => ({}));
  if (typeof now === 'string') serverClock.set(Date.parse(now));
}

/** The state handler, with its effects recorded and its clock followed. */
export function watchState(stateHandler: StateHandler, watchers: StateWatchers): StateHandler {
  const { clock, ledger, pacer, observer, journal, redactor, tell, trust } = watchers;
  const proveClock = clockProof(stateHandler, clock);
  const note = (state: string, params: JsonObject, error: string | null) => {
    if (untold.has(state)) return;
    const shown = redactor.redact(JSON.stringify(params)).slice(0, longestParams);
    tell({ name: 'state-set', state, params: shown, error });
  };
  return {
    ...stateHandler,
    set: async (state, params) => {
      if (!readingStates.has(state)) journal.event(clock.now(), stateEvent, { state });
      const asked = stateHandler.set(state, params);
      const proven = state === 'clock.advance' ? asked.then(proveClock) : asked;
      const answer = await proven.catch((error: unknown) => {
        note(state, params, error instanceof Error ? error.message : String(error));
        throw error;
      });
      note(state, params, null);
      trust.confirmed(state, params);
      if (state === 'reset') observer.forget();
      if (state === 'clock.advance') {
        const { serverClock } = observer;
        serverClock.move(Number(params.seconds) * 1000);
        if (stateHandler.clock.has('rate-limits')) pacer.age(Number(params.seconds) * 1000);
        journal.event(clock.now(), clockEvent, { movedMs: serverClock.movedMs });
      }
      if (typeof answer.now === 'string') observer.serverClock.set(Date.parse(answer.now));
      if (!readingStates.has(state)) ledger.state(state, clock.now());
      return answer;
    },
  };
}
