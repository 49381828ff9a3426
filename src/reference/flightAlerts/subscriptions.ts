/** Where changes of a leg are pushed to. */
export interface FlightCallback {
  fid: string;
  url: string;
  apiKey: string;
  /** The X-API-Key of the partner, which is none of its business. */
  readonly partnerKey: string;
  /** Whether it came to a subscription that had been polling-only. */
  readonly isAttached: boolean;
  /** What is sent in its place; null for nothing else. */
  readonly suppliedKey: string | null;
}

/** One partner's subscription to one leg; without callback it is polling-only. */
export interface Subscription {
  readonly enterprise: string;
  readonly owner: string;
  readonly leg: LegName;
  /** The leg in the spelling of the subscribe that made it. */
  readonly spelled: LegName;
  callback: FlightCallback | null;
}

/** The subscriptions of a deployment. */
export class SubscriptionStore {
  readonly #byName = new Map<string, Subscription>();
  /** Names of subscriptions whose tracking upstream did not confirm once. */
  readonly unconfirmed = new Set<string>();
  /** Notifications that were sent to subscribers so far. */
  notified = 0;

  find(name: string): Subscription | undefined {
    return this.#byName.get(name);
  }

  add(name: string, subscription: Subscription): void {
    this.#byName.set(name, subscription);
  }

  get all(): readonly Subscription[] {
    return [...this.#byName.values()];
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

/** The leg that a subscription is about. */
export interface LegName {
  readonly flightNumber: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

export function isSameFlight(one: LegName, other: LegName): boolean {
  return one.flightNumber === other.flightNumber && one.date === other.date;
}

export function isSameRoute(one: LegName, other: LegName): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Departure and arrival code of a leg. */
export function airports(leg: UpstreamLeg): readonly [string, string] {
  return [airportOf(leg.departure), airportOf(leg.arrival)];
}

function airportOf(end: unknown): string {
  const code = (end as { airportIata?: unknown } | undefined)?.airportIata;
  return typeof code === 'string' ? code : '';
}

export function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const against = other[index] ?? '';
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}

/** What upstream knows about a leg: any part of a leg snapshot, with both airports. */
export type UpstreamLeg = Readonly<Record<string, unknown>>;

export type Snapshot = Record<string, unknown>;
