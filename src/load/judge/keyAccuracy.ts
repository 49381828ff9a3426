import type { WindowLimit } from '../../core/windowLimit.ts';
import type { KeyEvent, OverAdmission, UnderAdmission } from './accuracy.ts';
import { SortedRing } from '../send/sortedRing.ts';

/** A store that counts whole seconds may free a slot this much later, and still conforms. */
const storeSlackMs = 2000;
/** A request that was sent before an answer is itself answered within this time, or never. */
const settledMs = 120_000;
/** Limits above this are not judged: that many times would have to be stored for each key. */
export const highestJudged = 100_000;
/** Counting stops this far beyond a limit; a window with more is reported to have at least that many. */
const countedBeyond = 10_000;
/** Most refusals of a key that may still turn out to be early; with the documented limits there are fewer. */
const mostOpen = 4096;

/** How exact the limiter was for one key; needs as much memory as its limits have slots, however long the load. */
export class KeyAccuracy {
  admitted = 0;
  refused = 0;
  readonly #key: string;
  readonly #tightest: WindowLimit | null;
  readonly #windows: readonly AdmittedWindow[];
  readonly #logs: RollingLogs;
  readonly #early: EarlyRefusals;

  constructor(key: string, limits: readonly WindowLimit[]) {
    this.#key = key;
    this.#tightest = limits[0] ?? null;
    const judged = limits.filter(({ limit }) => limit <= highestJudged);
    this.#windows = judged.map((limit) => new AdmittedWindow(limit));
    this.#logs = new RollingLogs(judged);
    this.#early = new EarlyRefusals(limits);
  }

  /** Takes the result of a request; those answered earlier should come earlier. */
  add(event: KeyEvent): void {
    this.#logs.add(event);
    this.#early.add(event);
    if (event.decision === 'refused') this.refused += 1;
    if (event.decision !== 'admitted') return;
    this.admitted += 1;
    for (const window of this.#windows) window.add(event);
  }

  /** How many of the same requests a rolling log would have refused, in each variant left open. */
  get expectedRefused(): readonly number[] {
    return this.#logs.refused;
  }

  get overAdmitted(): readonly OverAdmission[] {
    return this.#windows.flatMap((window) => window.found(this.#key));
  }

  get underAdmitted(): UnderAdmission | null {
    const found = this.#early.found;
    if (found === null || this.#tightest === null) return null;
    return { key: this.#key, limit: this.#tightest.limit, ...found };
  }

  /** When its latest requests were answered, ascending: as many as matter for the limits. */
  get recent(): readonly number[] {
    return this.#early.recent;
  }

  /** Memory used for this key. */
  get bytes(): number {
    const windows = this.#windows.reduce((sum, window) => sum + window.bytes, 0);
    return windows + this.#logs.bytes + this.#early.bytes;
  }
}

/**
 * Most requests certainly admitted within less than a window: of all that were answered up to some instant, those sent less than
 * a window before it were decided inside a window, wherever in their intervals.
 */
class AdmittedWindow {
  readonly #limit: WindowLimit;
  readonly #sent: SortedRing;
  #until = Number.NEGATIVE_INFINITY;
  #most = 0;
  #from = 0;

  constructor(limit: WindowLimit) {
    this.#limit = limit;
    this.#sent = new SortedRing(limit.limit + countedBeyond);
  }

  add({ sent, received }: KeyEvent): void {
    this.#until = Math.max(this.#until, received);
    this.#sent.add(sent);
    this.#sent.dropUpTo(this.#until - this.#limit.windowMs);
    if (this.#sent.size <= this.#most) return;
    [this.#most, this.#from] = [this.#sent.size, this.#sent.at(0)];
  }

  found(key: string): readonly OverAdmission[] {
    if (this.#most <= this.#limit.limit) return [];
    return [{ key, ...this.#limit, admitted: this.#most, from: this.#from }];
  }

  get bytes(): number {
    return this.#sent.bytes;
  }
}

/** A refusal that is early unless enough others turn out to have been in its windows. */
interface OpenRefusal {
  readonly from: number;
  readonly to: number;
  /** Others in the window of each limit. */
  readonly others: number[];
}

/** Refusals at which the most that can have counted was still below each limit: counting all others, refused or not. */
class EarlyRefusals {
  readonly #limits: readonly WindowLimit[];
  readonly #most: number;
  readonly #received: SortedRing;
  #open: OpenRefusal[] = [];
  #count = 0;
  #first: OpenRefusal | null = null;

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
    this.#most = Math.min(highestJudged, Math.max(1, ...limits.map(({ limit }) => limit)));
    this.#received = new SortedRing(this.#most);
  }

  add(event: KeyEvent): void {
    if (this.#open.length > 0) this.#reconsider(event);
    if (event.decision === 'refused') this.#note(event);
    this.#received.add(event.received);
  }

  get found(): Omit<UnderAdmission, 'key' | 'limit'> | null {
    const [early, first] = [this.#open.length + this.#count, this.#open.reduce(earlier, this.#first)];
    return first === null ? null : { count: early, first: first.from, atMost: first.others[0] ?? 0 };
  }

  get recent(): readonly number[] {
    return this.#received.values;
  }

  get bytes(): number {
    return this.#received.bytes;
  }

  #note({ sent, received }: KeyEvent): void {
    const others = this.#limits.map(({ windowMs }) =>
      this.#received.countAbove(sent - windowMs - storeSlackMs),
    );
    const refusal = { from: sent, to: received, others };
    // Beyond this the verdict stays open, which never blames a limiter.
    if (this.#isEarly(refusal) && this.#open.length < mostOpen) this.#open.push(refusal);
  }

  /** Requests sent before a refusal came, and answered after it, may have counted as well. */
  #reconsider({ sent, received }: KeyEvent): void {
    let isSettled = false;
    for (const { from, to, others } of this.#open) {
      isSettled ||= received > to + settledMs;
      if (sent >= to) continue;
      this.#limits.forEach(({ windowMs }, place) => {
        if (received > from - windowMs - storeSlackMs) others[place] = (others[place] ?? 0) + 1;
      });
      isSettled = true;
    }
    if (!isSettled) return;
    this.#open = this.#open.filter((refusal) => {
      if (!this.#isEarly(refusal)) return false;
      if (received <= refusal.to + settledMs) return true;
      this.#count += 1;
      this.#first = earlier(this.#first, refusal);
      return false;
    });
  }

  #isEarly({ others }: OpenRefusal): boolean {
    return this.#limits.every(({ limit }, place) => (others[place] ?? 0) < Math.min(limit, this.#most));
  }
}

function earlier(one: OpenRefusal | null, other: OpenRefusal): OpenRefusal {
  return one === null || other.from < one.from ? other : one;
}

/** One variant of a rolling log; null until a variant point makes a difference. */
interface Log {
  readonly countsRefused: boolean | null;
  readonly countsUnknown: boolean | null;
  readonly counted: SortedRing;
  refused: number;
}

/** Whether refused requests count, and whether those count whose answer does not show it. */
const variants = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/**
 * What a rolling log refuses of these requests, if it decides each in the middle of its interval, in every variant that the
 * documents leave open: whether refused requests count, and whether those count whose answer does not show it.
 */
class RollingLogs {
  readonly #limits: readonly WindowLimit[];
  #logs: readonly Log[];

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
    const counted = new SortedRing(Math.max(1, ...limits.map(({ limit }) => limit)));
    this.#logs = [{ countsRefused: null, countsUnknown: null, counted, refused: 0 }];
  }

  add({ sent, received, decision }: KeyEvent): void {
    if (this.#limits.length === 0) return;
    const isUnknown = decision === 'unknown';
    if (isUnknown && this.#logs.some(({ countsUnknown }) => countsUnknown === null))
      this.#logs = this.#logs.flatMap((log) => apart(log, 'countsUnknown'));
    const at = (sent + received) / 2;
    for (const log of this.#logs) if (!isUnknown || log.countsUnknown === true) this.#decide(log, at);
  }

  /** How many it refused, by each of `variants` in order. */
  get refused(): readonly number[] {
    return variants.map(([countsRefused, countsUnknown]) => {
      const log = this.#logs.find(
        (one) =>
          (one.countsRefused ?? countsRefused) === countsRefused &&
          (one.countsUnknown ?? countsUnknown) === countsUnknown,
      );
      return log?.refused ?? 0;
    });
  }

  get bytes(): number {
    return this.#logs.reduce((sum, { counted }) => sum + counted.bytes, 0);
  }

  #decide(log: Log, at: number): void {
    const isFull = this.#limits.some(({ limit, windowMs }) => log.counted.countAbove(at - windowMs) >= limit);
    if (!isFull) {
      log.counted.add(at);
      return;
    }
    log.refused += 1;
    if (log.countsRefused === true) log.counted.add(at);
    if (log.countsRefused !== null) return;
    const both = apart(log, 'countsRefused');
    both[0]?.counted.add(at);
    this.#logs = this.#logs.flatMap((one) => (one === log ? both : [one]));
  }
}

/** A log in both variants of a point, the counting one first. */
function apart(log: Log, point: 'countsRefused' | 'countsUnknown'): readonly Log[] {
  return [
    { ...log, [point]: true },
    { ...log, [point]: false, counted: log.counted.clone() },
  ];
}
