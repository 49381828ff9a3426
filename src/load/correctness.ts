/** Number of samples of a rule, and of those that broke it. */
export interface RuleCounts {
  readonly samples: number;
  readonly violations: number;
}

/** A rule that was broken: already at rest, or only under load, and first at how many requests per second. */
export interface BrokenRule {
  readonly requirement: string;
  readonly when: 'at-rest' | 'under-load' | 'unknown-at-rest';
  readonly perSecond: number | null;
  readonly rest: RuleCounts;
  readonly load: RuleCounts;
}

/** Whether a deployment stayed correct under load. */
export interface Correctness {
  /** Number of answers of the load, and how many of them were judged. */
  readonly seen: number;
  readonly judged: number;
  /** The smallest share of reads that was judged at any time; 1 if all were. */
  readonly leastShare: number;
  /** Number of exchanges before and after the load, all of them judged. */
  readonly atRest: number;
  readonly callbacks: number;
  /** Number of must and should rules that were judged. */
  readonly rules: number;
  readonly broken: readonly BrokenRule[];
  /** Records and requests that the judge had in mind and forgot, since its memory is bounded; left out where none was. */
  readonly forgotten?: number;
}

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
