import type { LegName } from './policy.ts';

/** Where changes of a leg are pushed to. */
export interface FlightCallback {
  fid: string;
  url: string;
  readonly apiKey: string;
  /** What is sent in its place; null for nothing else. */
  readonly suppliedKey: string | null;
}

/** One partner's subscription to one leg; without callback it is polling-only. */
export interface Subscription {
  readonly enterprise: string;
  readonly owner: string;
  readonly leg: LegName;
  callback: FlightCallback | null;
}

/** The subscriptions of a deployment. */
export class SubscriptionStore {
  readonly #byName = new Map<string, Subscription>();
  /** Names of subscriptions whose tracking upstream did not confirm once. */
  readonly unconfirmed = new Set<string>();

  find(name: string): Subscription | undefined {
    return this.#byName.get(name);
  }

  add(name: string, subscription: Subscription): void {
    this.#byName.set(name, subscription);
  }

  /** All subscriptions to legs of a flight on a date. */
  ofFlight(flightNumber: string, date: string): readonly Subscription[] {
    return [...this.#byName.values()].filter(
      ({ leg }) => leg.flightNumber === flightNumber && leg.date === date,
    );
  }

  ofOwner(owner: string): readonly Subscription[] {
    return [...this.#byName.values()].filter((subscription) => subscription.owner === owner);
  }

  dropOf(enterprise: string): void {
    for (const [name, subscription] of this.#byName) {
      if (subscription.enterprise === enterprise) this.#byName.delete(name);
    }
  }
}
