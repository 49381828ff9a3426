import type { RunEvent } from '../engine/events.ts';

type Waiting = Extract<RunEvent, { name: 'waiting' }>;

interface Wait {
  until: number;
  /** Time during which somebody waited, up to `until`. */
  ms: number;
}

/** What the requests of a run wait for, in wall time: waits at the same time count once. */
export class Waits {
  readonly #paced = new Map<string, Wait>();
  readonly #refused: Wait = { until: Number.NEGATIVE_INFINITY, ms: 0 };

  hear({ reason, key, ms }: Waiting, now: number): void {
    const wait = reason === 'pace' ? (this.#paced.get(key) ?? { until: now, ms: 0 }) : this.#refused;
    if (reason === 'pace') this.#paced.set(key, wait);
    extend(wait, now, ms);
  }

  /** How long requests still wait that wait at present. */
  leftMs(now: number): number {
    const ends = [this.#refused, ...this.#paced.values()].map(({ until }) => until);
    return Math.max(0, Math.max(...ends) - now);
  }

  /** The longest that a key was waited for, for its limits. */
  pacedMs(now: number): number {
    return Math.max(0, ...[...this.#paced.values()].map((wait) => passed(wait, now)));
  }

  /** How long refusals were waited for. */
  refusedMs(now: number): number {
    return passed(this.#refused, now);
  }
}

function extend(wait: Wait, now: number, ms: number): void {
  wait.ms += Math.max(0, now + ms - Math.max(now, wait.until));
  wait.until = Math.max(wait.until, now + ms);
}

/** Without what is still to come: it may be cut short. */
function passed({ until, ms }: Wait, now: number): number {
  return ms - Math.max(0, until - now);
}
