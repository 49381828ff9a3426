import type { ScriptedAnswer } from '../../receive/script.ts';
import { onRecords } from '../asked.ts';
import type { Wire } from '../json.ts';
import type { Making, Variation } from './variation.ts';

/** Deliveries as queues and networks make them. */
export const callbackVariations: readonly Variation[] = [
  {
    id: 'late-callbacks',
    family: 'time',
    law: 'Delivery runs through a queue (Web Check-in, Events 3), and no document says how soon it comes.',
    wire: lateCallbacks,
  },
  {
    id: 'lost-callback-answers',
    family: 'time',
    law: 'A sender whose answer got lost has none, and delivers again as after any failure (Web Check-in, Events 2 and 3).',
    wire: lostAnswers,
  },
];

const latestMs = 5000;

/** Each delivery waits for itself, so that those of several records come in another order. */
function lateCallbacks({ random, clock }: Making): Wire {
  return onRecords((store) => async (arrival, given) => {
    await clock.sleep(Math.round(latestMs * random()));
    const at = clock.now();
    await store({ ...arrival, startedAt: at, receivedAt: at }, given);
  });
}

const reset: ScriptedAnswer = { kind: 'reset' };

/** Some deliveries are taken, and the sender never hears of it. */
function lostAnswers({ random }: Making): Wire {
  return {
    admit: (inner) => (target) => {
      const admission = inner(target);
      const isTaken = admission.answer.kind === 'status' && admission.answer.status < 300;
      return isTaken && random() < 0.3 ? { ...admission, answer: reset } : admission;
    },
  };
}
