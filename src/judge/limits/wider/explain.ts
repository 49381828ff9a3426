import type { Decision } from '../decision.ts';
import { budgetsByScope } from '../scope.ts';
import type { WindowLimit } from '../../../core/windowLimit.ts';
import { bucketBeforeLog, burstBucket } from './burstBucket.ts';
import { burstQueue } from './burstQueue.ts';
import { forgetfulLog } from './forgetfulLog.ts';
import { instances } from './instances.ts';
import { lateLog } from './lateLog.ts';
import { otherLength } from './otherLength.ts';
import type { Explain, Explanation } from './wider.ts';

/** By rank: the ones with the fewest parameters come first. */
const explanations: readonly Explain[] = [
  burstQueue,
  burstBucket,
  lateLog,
  bucketBeforeLog,
  otherLength,
  instances,
  forgetfulLog,
];

/** The first limiter with more than one number that explains every decision; null if none does. */
export function explainByWider(
  decisions: readonly Decision[],
  window: WindowLimit,
  epochMs: number | null,
): Explanation | null {
  const timeline = { decisions, window, epochMs, budgets: budgetsByScope(decisions, 'key') };
  for (const one of explanations) {
    const explanation = one(timeline);
    if (explanation !== null) return explanation;
  }
  return null;
}
