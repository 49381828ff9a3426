import type { Settings } from '../../../../core/settings.ts';
import { isJudged } from '../../../../judge/kernel/verdict.ts';
import { budgetsOf } from '../../../../plan/budgets.ts';
import { formatDuration, plural } from '../../../../report/text/format.ts';
import type { Judged } from '../../judgeOpen.ts';

interface Counts {
  readonly variations: number;
  readonly ofVariations: number;
  readonly requests: number;
  readonly ms: number;
}

/** What was tried against which target with what, and how far the time was enough. */
export function setupLines(settings: Settings, plain: Judged, counts: Counts): readonly string[] {
  const { maxRequests, maxQuota, maxSubscriptions } = budgetsOf(settings);
  const { primary, other } = settings.keys;
  const handler = settings.stateHandler === null ? 'no state handler' : 'a state handler';
  const musts = [...plain.verdicts].filter(([{ level }]) => level === 'must');
  const judged = musts.filter(([, { status }]) => isJudged(status));
  const failed = judged.filter(([, { status }]) => status === 'fail').map(([{ id }]) => id);
  return [
    `set-up: ${plural(primary.length, 'key')}, ${plural(other.length, 'key')} of another enterprise, ${handler}; at most ${plural(maxRequests, 'request')}, ${plural(maxQuota, 'quota unit')} and ${plural(maxSubscriptions, 'flight subscription')} in each run`,
    `unchanged: ${judged.length} of ${musts.length} musts judged${isWhole(plain) ? '' : `; the run ended early: ${plain.endReason}`}${failed.length === 0 ? '' : `; failed, and not looked at below: ${failed.join(', ')}`}`,
    `tried: ${counts.variations} of ${plural(counts.ofVariations, 'variation')}, by ${plural(counts.requests, 'request')} in ${formatDuration(counts.ms)}`,
  ];
}

/** Whether a run was completed, or ended by its budget. */
export function isWhole({ end }: Judged): boolean {
  return end === 'completed' || end === 'budget';
}
