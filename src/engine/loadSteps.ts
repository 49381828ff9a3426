import type { Step } from '../trace/evidence.ts';
import { StateHandlerError, type StateHandler } from '../target/stateHandler.ts';
import type { Target } from '../target/target.ts';
import type { OpenRun } from './openRun.ts';

/** The target of a load, whose state handler tells its steps: whoever judges records has to know what moved them. */
export function withSteps(
  { target, clock, clockBook }: Pick<OpenRun, 'target' | 'clock' | 'clockBook'>,
  note: (step: Step) => void,
): Target {
  const { stateHandler } = target;
  let steps = 0;
  const set: StateHandler['set'] = async (operation, params) => {
    const startedAt = clock.now();
    const tell = (outcome: Step['outcome'], error: string | null) => {
      const made = { type: 'step', id: `s${(steps += 1)}`, operation, params, told: {} } as const;
      note({ ...made, startedAt, endedAt: clock.now(), outcome, error, movedMs: clockBook.movedMs });
    };
    try {
      const answer = await stateHandler.set(operation, params);
      tell('done', null);
      return answer;
    } catch (error) {
      const isRefused = error instanceof StateHandlerError && error.answered;
      tell(isRefused ? 'refused' : 'unknown', error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  return { ...target, stateHandler: { ...stateHandler, set } };
}
