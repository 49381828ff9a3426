import type { Clock } from '../core/clock.ts';
import type { ApiKey } from './keyRing.ts';
import { noPaceBook, type PaceBook } from './paceBook.ts';
import type { WindowLimit } from '../core/windowLimit.ts';
import { KeyBudgets, type SharedLimit } from './keyBudgets.ts';
import type { KeyWindow } from './keyWindow.ts';
import { LowerLimits } from './lowerLimit.ts';
import { sharedLimit } from './sharedLimit.ts';

/** Keys compared for each request: enough to avoid a busy one, few enough to cost nothing. */
const lookAhead = 4;

/** How soon a slot is asked for again that others took. */
const againMs = 20;

/** The right to send one request with a key. `done` must be called once its answer has come or will never come. */
export interface Ticket {
  readonly key: ApiKey;
  readonly done: () => void;
}

interface PacerOptions {
  readonly clock: Clock;
  readonly limits: readonly WindowLimit[];
  /** What others send with the same keys. */
  readonly book?: PaceBook;
  /** Called before a wait, with its length in milliseconds. */
  readonly onWait?: (key: ApiKey, ms: number) => void;
}

/**
 * Keeps every key below the limits by a rolling log of its own, so that no request of ours provokes a 429. Takes keys with a
 * free slot in turn.
 */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #book: PaceBook;
  readonly #budgets: KeyBudgets;
  readonly #lower = new LowerLimits();
  #turn = 0;
  #wake: (() => void)[] = [];

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#book = options.book ?? noPaceBook;
    this.#budgets = new KeyBudgets(options.limits);
  }

  /** Waits until one of the keys may be used. Rejects with the signal's reason when it aborts. */
  async acquire(keys: readonly ApiKey[], signal?: AbortSignal): Promise<Ticket> {
    for (;;) {
      signal?.throwIfAborted();
      const ticket = this.tryAcquire(keys);
      if (ticket) return ticket;
      await this.waitFor(keys, signal);
    }
  }

  /** Waits until one of the keys may have room, which another request may take first. */
  async waitFor(keys: readonly ApiKey[], signal?: AbortSignal): Promise<void> {
    const { key, freeIn } = this.#choose(keys);
    // With room and no ticket, others took it just now: time has to pass, so that an interrupt is heard.
    if (freeIn > 0) await this.#wait(key, freeIn, signal);
    else await this.#options.clock.sleep(againMs, signal);
  }

  /** Requests that may be sent with these keys right now. */
  room(keys: readonly ApiKey[]): number {
    return this.#budgets.roomAt(keys, this.#options.clock.monotonic());
  }

  /** Requests that could be sent with these keys right now if they were unused. */
  capacity(keys: readonly ApiKey[]): number {
    return this.#budgets.capacity(keys);
  }

  /** Milliseconds until one of the keys has room; infinite if only an answer can tell. */
  freeIn(keys: readonly ApiKey[]): number {
    return keys.length === 0 ? 0 : this.#choose(keys).freeIn;
  }

  /** Milliseconds until one of the keys is free of what refusals showed: waits that they asked for, and limits that keys share. */
  refusedFor(keys: readonly ApiKey[]): number {
    const now = this.#options.clock.monotonic();
    return Math.min(...keys.map((key) => this.#budgets.refusedFor(key, now)));
  }

  /** Milliseconds until `requests` may be sent together with these keys; infinite if that is never possible. */
  roomIn(keys: readonly ApiKey[], requests: number): number {
    const now = this.#options.clock.monotonic();
    const windows = new Set(keys.flatMap((key) => this.#budgets.of(key)));
    const changes = [...windows].flatMap((window) => window.changesAfter(now));
    const instants = [now, ...changes].sort((a, b) => a - b);
    const at = instants.find((instant) => this.#budgets.roomAt(keys, instant) >= requests);
    return at === undefined ? Number.POSITIVE_INFINITY : at - now;
  }

  /** A ticket for one of the keys, if one has room right now; null if all have to wait. */
  tryAcquire(keys: readonly ApiKey[]): Ticket | null {
    // If others have filled the window of a key meanwhile, another key may have room.
    for (let tries = keys.length; tries > 0; tries -= 1) {
      const best = this.#choose(keys);
      if (best.freeIn > 0) return null;
      const claim = this.#book.claim(best.key, false);
      if (claim !== null) return this.#take(best.key, claim);
      this.window(best.key).setOthers(this.#book.others(best.key));
    }
    return null;
  }

  /** Takes the next key whatever its log says: for checks that want to see a limit at work. */
  force(keys: readonly ApiKey[]): Ticket {
    const { key } = this.#choose(keys);
    return this.#take(key, this.#book.claim(key, true) ?? '');
  }

  /** No request with this key, or one that shares a limit with it, before `ms` from now (after a 429). */
  block(key: ApiKey, ms: number): void {
    const until = this.#options.clock.monotonic() + ms;
    for (const window of this.#budgets.of(key)) window.blockUntil(until);
  }

  /** Limits that several keys were seen to share, so that further keys make no room. */
  get shared(): readonly SharedLimit[] {
    return this.#budgets.shared;
  }

  /** From now on these limits are kept as well; returns whether that is news. */
  share(limit: SharedLimit): boolean {
    return this.#budgets.share(limit, this.#options.clock.monotonic());
  }

  /**
   * The limit that a refusal shows which the key itself has not reached, and its keys have reached together. Null if there is
   * none: then others may use the key as well.
   */
  sharedBy(key: ApiKey, waitMs: number | null): SharedLimit | null {
    const { limits, clock } = this.#options;
    return sharedLimit(this.#budgets, limits, { key, waitMs, now: clock.monotonic() });
  }

  /** The lower limit that refusals show which no other key explains, and which is kept from now on; null if there is none. */
  learn(key: ApiKey, waitMs: number | null): WindowLimit | null {
    const now = this.#options.clock.monotonic();
    const [window] = this.#budgets.limits.toSorted((one, other) => one.windowMs - other.windowMs);
    if (!window) return null;
    const count = this.#budgets.own(key).countIn(window.windowMs, now);
    const lower = this.#lower.see({ key, window, count, waitMs, now });
    if (lower !== null) this.#budgets.lower(lower);
    return lower;
  }

  /** The server's clock was moved forward, and its limits with it. */
  age(ms: number): void {
    this.#book.age(ms);
    for (const window of this.#budgets.all()) window.age(ms);
  }

  /** The log of a key. */
  window(key: ApiKey): KeyWindow {
    return this.#budgets.own(key);
  }

  /** Of the next few keys in turn: the least used free one, else the one that is free first. */
  #choose(keys: readonly ApiKey[]): { key: ApiKey; freeIn: number } {
    const now = this.#options.clock.monotonic();
    let best: { key: ApiKey; freeIn: number; used: number } | undefined;
    for (let step = 0; step < keys.length; step += 1) {
      if (step >= lookAhead && best?.freeIn === 0) break;
      const key = keys[(this.#turn + step) % keys.length];
      if (!key) continue;
      const freeIn = this.#budgets.freeIn(key, now);
      const { used } = this.window(key);
      if (!best || freeIn < best.freeIn || (freeIn === best.freeIn && used < best.used))
        best = { key, freeIn, used };
    }
    if (!best) throw new Error('acquire needs at least one key');
    return best;
  }

  /** Reads what others have sent with these keys. */
  recall(keys: readonly ApiKey[]): void {
    for (const key of keys) this.window(key).setOthers(this.#book.others(key));
  }

  /** Answers that another process got for this run, as times of its monotonic clock. */
  remember(key: ApiKey, times: readonly number[]): void {
    for (const window of this.#budgets.of(key)) window.remember(times);
    this.#book.note(key, times);
  }

  #take(key: ApiKey, claim: string): Ticket {
    this.#turn += 1;
    for (const window of this.#budgets.of(key)) window.open();
    let open = true;
    return {
      key,
      done: () => {
        if (!open) return;
        open = false;
        const now = this.#options.clock.monotonic();
        for (const window of this.#budgets.of(key)) window.close(now);
        this.#book.settle(key, claim);
        if (this.#wake.length > 0) for (const wake of this.#wake.splice(0)) wake();
      },
    };
  }

  async #wait(key: ApiKey, ms: number, signal: AbortSignal | undefined): Promise<void> {
    // All slots are taken by requests under way: the first answer shows when the next slot is free.
    if (ms === Number.POSITIVE_INFINITY) return this.#nextAnswer(signal);
    this.#options.onWait?.(key, ms);
    await this.#options.clock.sleep(ms, signal);
  }

  #nextAnswer(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#wake.push(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }
}
