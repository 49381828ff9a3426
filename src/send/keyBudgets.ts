import type { WindowLimit } from '../core/windowLimit.ts';
import type { ApiKey } from './keyRing.ts';
import { KeyWindow, withLower } from './keyWindow.ts';

/** Whose requests are counted together. In the documents: those of a key. */
export type BudgetScope = 'key' | 'enterprise' | 'address';

/** A limit that the deployment was seen to apply to several keys together. */
export interface SharedLimit {
  readonly scope: Exclude<BudgetScope, 'key'>;
  readonly window: WindowLimit;
}

/** The windows of one scope, by the name of what they belong to. */
interface Layer {
  readonly scope: BudgetScope;
  readonly limits: readonly WindowLimit[];
  readonly windows: Map<string, KeyWindow>;
}

const widest: readonly BudgetScope[] = ['address', 'enterprise', 'key'];

/** All budgets that a request of a key takes a place of: its own, and those that were seen to be shared with other keys. */
export class KeyBudgets {
  #own: Layer;
  /** The widest first. */
  #layers: readonly Layer[];
  #shared: readonly SharedLimit[] = [];
  readonly #keys = new Map<string, ApiKey>();

  constructor(limits: readonly WindowLimit[]) {
    this.#own = { scope: 'key', limits, windows: new Map() };
    this.#layers = [this.#own];
  }

  /** What several keys were seen to share, in the order in which it showed. */
  get shared(): readonly SharedLimit[] {
    return this.#shared;
  }

  /** The log of a key by itself. */
  own(key: ApiKey): KeyWindow {
    this.#keys.set(key.value, key);
    return windowIn(this.#own, key);
  }

  /** The logs of all budgets of a key. */
  of(key: ApiKey): readonly KeyWindow[] {
    const own = this.own(key);
    if (this.#shared.length === 0) return [own];
    return this.#layers.map((layer) => (layer === this.#own ? own : windowIn(layer, key)));
  }

  all(): readonly KeyWindow[] {
    return this.#layers.flatMap(({ windows }) => [...windows.values()]);
  }

  /** The keys that were used so far and whose requests a scope counts together with those of a key. */
  beside(key: ApiKey, scope: BudgetScope): readonly ApiKey[] {
    return [...this.#keys.values()].filter((other) => nameOf(other, scope) === nameOf(key, scope));
  }

  /** From now on, keys share this limit; what they have sent counts. Returns whether that is news. */
  share({ scope, window }: SharedLimit, now: number): boolean {
    const isKnown = this.#shared.some(
      (one) => one.scope === scope && one.window.windowMs === window.windowMs,
    );
    if (isKnown) return false;
    this.#shared = [...this.#shared, { scope, window }];
    const layer: Layer = { scope, limits: [window], windows: new Map() };
    for (const key of this.#keys.values()) windowIn(layer, key).take(this.own(key), now);
    this.#layers = [...this.#layers, layer].sort(
      (one, other) => widest.indexOf(one.scope) - widest.indexOf(other.scope),
    );
    return true;
  }

  /** From now on, each key sends fewer requests in this window. */
  lower(window: WindowLimit): void {
    const own = { ...this.#own, limits: withLower(this.#own.limits, window) };
    this.#layers = this.#layers.map((layer) => (layer === this.#own ? own : layer));
    this.#own = own;
    for (const one of own.windows.values()) one.lower(window);
  }

  /** The limits of a key by itself. */
  get limits(): readonly WindowLimit[] {
    return this.#own.limits;
  }

  freeIn(key: ApiKey, now: number): number {
    if (this.#shared.length === 0) return this.own(key).freeIn(now);
    return Math.max(...this.of(key).map((window) => window.freeIn(now)));
  }

  /** How long a key has to wait for what refusals showed: they asked it to, or it shares a limit. */
  refusedFor(key: ApiKey, now: number): number {
    const [own, ...all] = [this.own(key), ...this.of(key)];
    return Math.max(...all.map((one) => (one === own ? one.blockedFor(now) : one.freeIn(now))));
  }

  /** Requests that may be sent with these keys at an instant, if nothing is sent until then. */
  roomAt(keys: readonly ApiKey[], at: number): number {
    return this.#sum(keys, (window) => window.roomAt(at));
  }

  /** Requests that may be sent with these keys if they are all unused. */
  capacity(keys: readonly ApiKey[]): number {
    return this.#sum(keys, (window) => window.capacity);
  }

  /** Of nested budgets, the narrowest on the way counts. */
  #sum(keys: readonly ApiKey[], of: (window: KeyWindow) => number, layers = this.#layers): number {
    const [layer, ...inner] = layers;
    if (!layer) return Number.POSITIVE_INFINITY;
    return [...Map.groupBy(keys, (key) => nameOf(key, layer.scope)).values()].reduce((sum, group) => {
      const [first] = group;
      if (!first) return sum;
      const window = layer === this.#own ? this.own(first) : windowIn(layer, first);
      return sum + Math.min(of(window), this.#sum(group, of, inner));
    }, 0);
  }
}

function windowIn({ scope, limits, windows }: Layer, key: ApiKey): KeyWindow {
  const name = nameOf(key, scope);
  let known = windows.get(name);
  if (known === undefined) windows.set(name, (known = new KeyWindow(limits)));
  return known;
}

function nameOf({ value, enterprise }: ApiKey, scope: BudgetScope): string {
  if (scope === 'key') return value;
  return scope === 'enterprise' ? enterprise : '';
}
