import type { Correctness } from '../summary/summarySchema.ts';

/** A rule that was broken: already at rest, or only under load, and first at how many requests per second. */
export type BrokenRule = Correctness['broken'][number];

/** Number of samples of a rule, and of those that broke it. */
export type RuleCounts = BrokenRule['load'];

/** Whether a rule breaks because of the load, in a sentence. */
export function whenText({ requirement, when, perSecond, rest, load }: BrokenRule): string {
  const rate = perSecond === null ? 'under load' : `at ${Number(perSecond.toFixed(1))}/s`;
  switch (when) {
    case 'at-rest':
      return load.violations > 0
        ? `Broken without load as well as ${rate}.`
        : 'Broken at rest, before the load.';
    case 'under-load':
      return `Held at rest (${rest.samples} of ${rest.samples}), breaks ${rate} (${load.violations} of ${load.samples}).`;
    case 'unknown-at-rest':
      return `Breaks ${rate} (${load.violations} of ${load.samples}). A load has no sample of it at rest: a run with --only ${requirement} tells whether it holds then.`;
  }
}
