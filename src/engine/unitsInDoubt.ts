import type { Exchange } from '../core/evidence.ts';

interface Doubt<T> {
  readonly effect: T;
  readonly sent: number;
  readonly received: number;
}

interface Account<T> {
  consumed: number;
  /** Monotonic instant at which that snapshot arrived. */
  at: number;
  /** Units that were certainly spent since then. */
  certain: number;
  doubts: Doubt<T>[];
}

/**
 * Units of one enterprise that a repeated subscribe may have cost, because its answer showed no quota. A later snapshot limits
 * what was spent in between: any other use of the enterprise can only make it larger.
 */
export class UnitsInDoubt<T> {
  readonly #accounts = new Map<string, Account<T>>();

  /** Adds a unit that was counted for a repeated subscribe, without proof. */
  doubt(effect: T, exchange: Exchange): void {
    const { sent, received } = exchange.timings;
    this.#accounts.get(exchange.enterprise ?? '')?.doubts.push({ effect, sent, received });
  }

  /** Adds a unit that was certainly spent, without a snapshot. */
  certain(exchange: Exchange): void {
    const account = this.#accounts.get(exchange.enterprise ?? '');
    if (account) account.certain += 1;
  }

  /** What a snapshot proves unspent; `own` units belong to the exchange that shows it. */
  settle(exchange: Exchange, consumed: number, own: number): readonly T[] {
    const enterprise = exchange.enterprise ?? '';
    const { sent, received } = exchange.timings;
    const account = this.#accounts.get(enterprise);
    this.#accounts.set(enterprise, { consumed, at: received, certain: 0, doubts: [] });
    if (!account) return [];
    // What overlaps one of the two snapshots may or may not be in them: it stays counted.
    const between = account.doubts.filter((doubt) => doubt.sent >= account.at && doubt.received <= sent);
    const most = Math.max(0, consumed - account.consumed - own - account.certain);
    return between.slice(Math.min(most, between.length)).map(({ effect }) => effect);
  }
}
