import type { Oracle } from '../oracle.ts';
import { errorEnvelope } from './errorEnvelope.ts';
import { recordShape, updateAnswer } from './recordShape.ts';
import { statusSet } from './statusSet.ts';
import { subscribeAnswer } from './subscribeAnswer.ts';
import { success } from './success.ts';

/** Every passive oracle, in the order in which a report names them. */
export const oracles: readonly Oracle[] = [
  statusSet,
  errorEnvelope,
  success,
  subscribeAnswer,
  updateAnswer,
  recordShape,
];
