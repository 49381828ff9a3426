import type { Api } from './operations.ts';

export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

/** Everything a command was told, fully set: options, environment and config file are merged before, never after. */
export interface Settings {
  readonly target: TargetSettings;
  readonly apis: readonly Api[];
  readonly profile: Profile;
  readonly seed: number;
  /** Requirement ids, check ids or tags, `*` allowed; empty means all. */
  readonly only: readonly string[];
  readonly budgets: Budgets;
  readonly readOnly: boolean;
  /** Capabilities without which the gate is not met. */
  readonly require: readonly string[];
  /** Share of the must-requirements (0 to 1) that have to be judged; null for no such gate. */
  readonly minMust: number | null;
  readonly stateHandler: StateHandlerSettings | null;
  readonly sink: SinkSettings;
  /** Report directory; null for `reports/<run id>` and the link `reports/latest`. */
  readonly reportDir: string | null;
  /** Path of the file of known failures. */
  readonly baseline: string | null;
  readonly strict: boolean;
  readonly shard: { readonly index: number; readonly total: number } | null;
  readonly keys: KeySettings;
  readonly itineraries: ItinerarySettings;
  readonly flights: readonly KnownFlight[];
  readonly limits: { readonly perMinute: number; readonly perHour: number };
  /** Open points pinned to a variant: from then on they are checks. */
  readonly openPoints: Readonly<Record<string, string>>;
  readonly http: HttpSettings;
}

export type TargetSettings =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'url'; readonly baseUrls: Readonly<Record<Api, string>> }
  | { readonly kind: 'image'; readonly reference: string };

/** Hard budgets, never exceeded; null means that the profile and the target decide. */
export interface Budgets {
  readonly maxRequests: number | null;
  readonly maxQuota: number | null;
  readonly maxSubscriptions: number | null;
  readonly maxDurationMs: number | null;
}

export interface StateHandlerSettings {
  readonly url: string;
  readonly auth: { readonly name: string; readonly value: string } | null;
}

export interface SinkSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

/** API keys by what they are good for. `primary` and `other` belong to two different enterprises. */
export interface KeySettings {
  readonly primary: readonly string[];
  readonly other: readonly string[];
  readonly revoked: string | null;
  readonly disabled: string | null;
  readonly noEntitlement: string | null;
  readonly suspended: string | null;
  readonly exhausted: string | null;
}

/** Bookings that the target is known to support; null where the config names none. */
export interface ItinerarySettings {
  readonly domestic: Itinerary | null;
  readonly international: Itinerary | null;
  readonly twoLeg: Itinerary | null;
  /** Airline code that the target does not support. */
  readonly unsupportedAirline: string | null;
}

export interface Itinerary {
  readonly airline: string;
  readonly legs: readonly ItineraryLeg[];
}

export interface ItineraryLeg {
  readonly flightNumber: string;
  readonly origin: string;
  readonly destination: string;
}

/** A flight and date that the target is known to serve; the legs where they are known. */
export interface KnownFlight {
  readonly flightNumber: string;
  /** `YYYY-MM-DD`, or days from the day of the run. */
  readonly departureDate: string | number;
  readonly legs: readonly { readonly departure: string; readonly arrival: string }[];
}

export interface HttpSettings {
  readonly connectTimeoutMs: number;
  /** Longest time from sending a request to the last byte of its response. */
  readonly responseTimeoutMs: number;
  /** Bytes of a response body that are read; a longer one is cut off and its connection closed. */
  readonly maxBodyBytes: number;
  readonly proxy: string | null;
  /** PEM text of extra certificate authorities. */
  readonly extraCa: string | null;
  readonly headers: Readonly<Record<string, string>>;
}
