import { changeAnswers } from './mutants/answers.ts';
import { loseInputs } from './mutants/deafness.ts';
import { changeDeliveries } from './mutants/deliveries.ts';
import { misuse } from './mutants/effects.ts';
import { openGates } from './mutants/gates.ts';
import { miscount } from './mutants/limiters.ts';
import { Occasion, type Acting } from './mutants/occasion.ts';
import type { Family, Mutant } from './mutants/place.ts';
import { changeStatuses } from './mutants/statuses.ts';
import type { Interference, Setup } from './stage.ts';

const acts: Readonly<Record<Family, (acting: Acting) => Interference>> = {
  answer: changeAnswers,
  status: changeStatuses,
  deaf: loseInputs,
  effect: misuse,
  gate: openGates,
  delivery: changeDeliveries,
  limiter: miscount,
};

/** What a mutant does on a stage. */
export function interferenceOf(mutant: Mutant, stage: Setup): Interference {
  return acts[mutant.family]({ mutant, stage, occasion: new Occasion(mutant) });
}
