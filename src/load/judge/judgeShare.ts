import type { Clock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import type { Correctness } from '../summary/summarySchema.ts';

interface JudgeShareOptions {
  readonly seed: number;
  /** The share of the answers to reads that is judged, 0 to 1; null to judge all as long as there is time. */
  readonly fixed: number | null;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Share of the time since the last call for which this process was busy, 0 to 1. */
  readonly busy: () => number;
}

/** Above this, judging is reduced in favor of sending; below the other, it is increased again. */
const busyAbove = 0.8;
const idleBelow = 0.5;
const everyMs = 1000;
const leastShare = 1 / 256;

/**
 * Which answers of a load are judged. Writes always are; of reads all, or a sample by the seed that gets smaller while this
 * process is short of time. Counts what was judged, so that a report can say so.
 */
export class JudgeShare {
  readonly #options: JudgeShareOptions;
  readonly #random: () => number;
  #share: number;
  #least: number;
  #seen = 0;
  #judged = 0;
  #lookedAt: number;

  constructor(options: JudgeShareOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#share = this.#least = options.fixed ?? 1;
    this.#lookedAt = options.clock.monotonic();
  }

  /** Whether this answer is judged; called once for each. */
  takes(isWrite: boolean): boolean {
    this.#seen += 1;
    this.#adapt();
    const chosen = this.#random() < this.#share;
    if (!chosen && !(isWrite && this.#options.fixed !== 0)) return false;
    this.#judged += 1;
    return true;
  }

  get counts(): { readonly seen: number; readonly judged: number; readonly leastShare: number } {
    return { seen: this.#seen, judged: this.#judged, leastShare: this.#least };
  }

  #adapt(): void {
    const { fixed, clock, busy } = this.#options;
    if (fixed !== null || clock.monotonic() - this.#lookedAt < everyMs) return;
    this.#lookedAt = clock.monotonic();
    const load = busy();
    if (load > busyAbove) this.#share = Math.max(leastShare, this.#share / 2);
    else if (load < idleBelow) this.#share = Math.min(1, this.#share * 2);
    this.#least = Math.min(this.#least, this.#share);
  }
}

/** How busy the event loop of this process was between two calls. */
export function eventLoopBusy(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** One requirement of which a load gave samples. */
export interface JudgedRule {
  readonly requirement: string;
  readonly rest: { readonly samples: number; readonly violations: number };
  readonly load: { readonly samples: number; readonly violations: number };
  readonly fault: string | null;
}

/** What one process of a load judged, in the form that is sent to another. */
export interface JudgedPart {
  readonly counts: JudgeShare['counts'];
  readonly rules: readonly JudgedRule[];
  readonly findings: readonly Finding[];
  /** Requests per second when a rule was first broken. */
  readonly broken: Readonly<Record<string, number>>;
  /** How much its oracles had to forget. */
  readonly forgotten: number;
  /** Ids of the records that subscribes certainly made, by enterprise. */
  readonly made: readonly (readonly [string, readonly string[]])[];
}

/** Adds up what two processes found about the same requirement. */
export function addRules(one: JudgedRule, other: JudgedRule): JudgedRule {
  const add = (a: RuleCounts, b: RuleCounts) => ({
    samples: a.samples + b.samples,
    violations: a.violations + b.violations,
  });
  return {
    requirement: one.requirement,
    rest: add(one.rest, other.rest),
    load: add(one.load, other.load),
    fault: one.fault ?? other.fault,
  };
}

/** Whether the requirement was broken at least once, at rest or under load. */
export function isBroken({ rest, load }: JudgedRule): boolean {
  return rest.violations + load.violations > 0;
}

/** A rule that was broken: already at rest, or only under load, and first at how many requests per second. */
export type BrokenRule = Correctness['broken'][number];

/** Number of samples of a rule, and of those that broke it. */
type RuleCounts = BrokenRule['load'];

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
