import type { Clock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';

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
