import type { JsonObject } from '../../../src/trace/json.ts';
import type { Step } from '../../../src/trace/evidence.ts';
import { testStart } from './exchanges.ts';

/** Something that the state handler did, so many seconds after the start. */
export function stepAt(at: number, operation: string, params: JsonObject, told: JsonObject = {}): Step {
  const [startedAt, endedAt] = [testStart + at * 1000, testStart + at * 1000 + 100];
  return {
    ...{ type: 'step', id: `s${at}`, operation, params, startedAt, endedAt },
    ...{ outcome: 'done', error: null, told, movedMs: 0 },
  };
}

/** A look at how many deliveries are pending. */
export function lookAt(at: number, pending: number): Step {
  return stepAt(at, 'callbacks.pending', {}, { pending });
}
