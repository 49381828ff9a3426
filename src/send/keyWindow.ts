import type { WindowLimit } from '../core/windowLimit.ts';

/** The two limits of the documents, or of the config. */
export function windowLimits(limits: {
  readonly perMinute: number;
  readonly perHour: number;
}): readonly WindowLimit[] {
  return [
    { limit: limits.perMinute, windowMs: 60_000 },
    { limit: limits.perHour, windowMs: 3_600_000 },
  ];
}

/** A server may count in whole seconds: a slot is treated as free this much later than the documents say. */
export const slackMs = 1000;

/**
 * The rolling log of one key: a request occupies its slot from sending until a window after its answer, because the
 * server may have counted it at any instant between.
 */
export class KeyWindow {
  #limits: readonly WindowLimit[];
  readonly #longestMs: number;
  /** Monotonic times of answers, ascending; those before `#start` have left every window. */
  #answers: number[] = [];
  /** Answers that others got. */
  #others: readonly number[] = [];
  #start = 0;
  #open = 0;
  #blockedUntil = Number.NEGATIVE_INFINITY;

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
    this.#longestMs = Math.max(...limits.map((limit) => limit.windowMs)) + slackMs;
  }

  /** Milliseconds until one more request may be sent; 0 for now, infinite if only an answer can tell. */
  freeIn(now: number): number {
    this.#forget(now);
    let wait = Math.max(0, this.#blockedUntil - now);
    for (const { limit, windowMs } of this.#limits)
      wait = Math.max(wait, this.#freeInWindow(now, limit, windowMs));
    return wait;
  }

  /** Requests that may be sent together at an instant from now on, if nothing is sent until then. */
  roomAt(at: number): number {
    if (at < this.#blockedUntil) return 0;
    const room = this.#limits.map(({ limit, windowMs }) => {
      const left = firstAfter(this.#answers, at - windowMs - slackMs, this.#start);
      return limit - this.#open - (this.#answers.length - left);
    });
    return Math.max(0, Math.min(...room));
  }

  /** The instants after now at which room becomes free, in ascending order. */
  changesAfter(now: number): readonly number[] {
    this.#forget(now);
    const answers = this.#answers.slice(this.#start);
    const ends = this.#limits.flatMap(({ windowMs }) => answers.map((answer) => answer + windowMs + slackMs));
    return [...ends, this.#blockedUntil].filter((at) => at > now).sort((a, b) => a - b);
  }

  open(): void {
    this.#open += 1;
  }

  close(now: number): void {
    this.#open -= 1;
    const isLatest = now >= (this.#answers.at(-1) ?? now);
    if (isLatest) this.#answers.push(now);
    else this.#answers.splice(firstAfter(this.#answers, now, this.#start), 0, now);
  }

  /** How long a refusal blocks the key, in milliseconds. */
  blockedFor(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  blockUntil(at: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, at);
  }

  /** From now on, fewer requests are sent in this window. */
  lower(window: WindowLimit): void {
    this.#limits = withLower(this.#limits, window);
  }

  /** Requests that still count in some window. */
  get used(): number {
    return this.#open + this.#answers.length - this.#start;
  }

  /** Requests that may be sent together if none has been sent before. */
  get capacity(): number {
    return Math.min(...this.#limits.map(({ limit }) => limit));
  }

  /** Counts what the log of a key has as well, including what is under way. */
  take(of: KeyWindow, now: number): void {
    this.#open += of.#open;
    this.remember(of.recent(now));
  }

  /** Answers within the last `ms`, and requests under way. */
  countIn(ms: number, now: number): number {
    this.#forget(now);
    return this.#open + this.#answers.length - firstAfter(this.#answers, now - ms, this.#start);
  }

  /** Answers that another process got for this run, as times of its monotonic clock. */
  remember(times: readonly number[]): void {
    this.#answers = [...this.#answers, ...times].sort((a, b) => a - b);
  }

  /** All known answers that others got with this key, as times of this run's monotonic clock in ascending order. */
  setOthers(times: readonly number[]): void {
    if (times.length === this.#others.length && times.every((time, index) => time === this.#others[index]))
      return;
    const own = without(this.#answers, this.#others);
    this.#others = times;
    this.#answers = [...own, ...times].sort((a, b) => a - b);
    this.#start = 0;
  }

  /** The server's time jumped forward by `ms`: everything that it counted is older by that much. */
  age(ms: number): void {
    this.#answers = this.#answers.map((answer) => answer - ms);
    this.#others = this.#others.map((answer) => answer - ms);
    this.#blockedUntil -= ms;
  }

  /** Times of all answers that still count in some window. */
  recent(now: number): readonly number[] {
    this.#forget(now);
    return this.#answers.slice(this.#start);
  }

  #freeInWindow(now: number, limit: number, windowMs: number): number {
    const slots = limit - this.#open;
    if (slots <= 0) return Number.POSITIVE_INFINITY;
    // The slot is free once the `slots`-th latest answer has left the window.
    const deciding = this.#answers.length - slots;
    const answer = deciding < this.#start ? undefined : this.#answers[deciding];
    return answer === undefined ? 0 : Math.max(0, answer + windowMs + slackMs - now);
  }

  #forget(now: number): void {
    while (
      this.#start < this.#answers.length &&
      (this.#answers[this.#start] ?? now) + this.#longestMs <= now
    ) {
      this.#start += 1;
    }
    if (this.#start > 1024) {
      this.#answers.splice(0, this.#start);
      this.#start = 0;
    }
  }
}

/** The limits, with a lower one for its window. */
export function withLower(limits: readonly WindowLimit[], window: WindowLimit): readonly WindowLimit[] {
  return limits.map((one) => (one.windowMs === window.windowMs && one.limit > window.limit ? window : one));
}

/** An ascending list without the numbers of another one; numbers that were already forgotten are skipped. */
function without(sorted: readonly number[], others: readonly number[]): readonly number[] {
  let next = 0;
  return sorted.filter((number) => {
    while (next < others.length && (others[next] ?? number) < number) next += 1;
    if (others[next] !== number) return true;
    next += 1;
    return false;
  });
}

/** The index of the first greater number in an ascending list. */
function firstAfter(sorted: readonly number[], than: number, from: number): number {
  let [low, high] = [from, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) > than) high = middle;
    else low = middle + 1;
  }
  return low;
}
