import type { Api } from './operations.ts';

/** How much of the catalogue a run covers. */
export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

/** The complete settings of a command, merged from options, environment and config file. */
export interface Settings {
  readonly target: TargetSettings;
  /** How the reports name the target; null for its address. */
  readonly name: string | null;
  readonly apis: readonly Api[];
  readonly profile: Profile;
  readonly seed: number;
  /** Requirement ids, check ids or tags, `*` allowed; empty means all. */
  readonly only: readonly string[];
  readonly budgets: Budgets;
  /** What the explorer may send after the checks: nothing, a modest share, or so many requests. */
  readonly explore: 'off' | 'auto' | number;
  readonly readOnly: boolean;
  /** Make new records instead of using own ones of earlier runs. */
  readonly fresh: boolean;
  /** Share of each rate limit that the run uses (above 0, up to 1). */
  readonly share: number;
  /** Capabilities without which the gate is not met. */
  readonly require: readonly string[];
  /** Share of the must requirements (0 to 1) that have to be judged; null for no such gate. */
  readonly minMust: number | null;
  readonly stateHandler: StateHandlerSettings | null;
  readonly sink: SinkSettings;
  /** How long real subscriptions of the run are followed; null for not at all. */
  readonly watchMs: number | null;
  /** Report directory; null for `reports/<run id>` and the link `reports/latest`. */
  readonly reportDir: string | null;
  /** Path of the file of known failures. */
  readonly baseline: string | null;
  /** Write the failures of this run into that file. */
  readonly updateBaseline: boolean;
  /** The reason noted in new baseline entries. */
  readonly baselineReason: string | null;
  readonly strict: boolean;
  readonly shard: { readonly index: number; readonly total: number } | null;
  readonly keys: KeySettings;
  readonly itineraries: ItinerarySettings;
  readonly flights: readonly KnownFlight[];
  readonly limits: { readonly perMinute: number; readonly perHour: number };
  /** Open points pinned to a variant, which makes them checks. */
  readonly openPoints: Readonly<Record<string, string>>;
  readonly http: HttpSettings;
}

export type TargetSettings =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'url'; readonly baseUrls: Readonly<Record<Api, string>> }
  | { readonly kind: 'image'; readonly reference: string; readonly container: ContainerSettings };

/** How a container is started from an image. */
export interface StartSettings {
  readonly environment: Readonly<Record<string, string>>;
  /** Null for the image's own. */
  readonly command: readonly string[] | null;
  readonly waitFor: WaitCondition;
  readonly startupTimeoutMs: number;
  /** Files of this machine by their path in the container. */
  readonly files: readonly { readonly source: string; readonly target: string }[];
  /** Environment values that came from variables of this machine. */
  readonly secrets: readonly string[];
}

/** When a container is ready; a `status` of null accepts any answer. */
export type WaitCondition =
  | { readonly kind: 'http'; readonly port: number; readonly path: string; readonly status: number | null }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'started' };

/** The target's own container, and what it needs around it. */
export interface ContainerSettings extends StartSettings {
  /** Port of both APIs inside the container. */
  readonly port: number;
  readonly stateHandler: ContainerStateHandler | null;
  /** Networks of the engine that it joins in addition to the run's own. */
  readonly networks: readonly string[];
  /** Containers that are started first, and that it reaches by name. */
  readonly dependencies: readonly DependencySettings[];
  /** Whether the image is pulled even if the engine has it. */
  readonly pull: 'missing' | 'always';
}

interface ContainerStateHandler {
  readonly port: number;
  readonly path: string;
  readonly auth: StateHandlerSettings['auth'];
}

interface DependencySettings extends StartSettings {
  readonly name: string;
  readonly reference: string;
}

/** Every container that a run starts for its target. */
export function startsOf(target: TargetSettings): readonly StartSettings[] {
  return target.kind === 'image' ? [...target.container.dependencies, target.container] : [];
}

/** Secrets of the containers, which are never shown. */
export function containerSecrets(target: TargetSettings): readonly string[] {
  const auth = target.kind === 'image' ? (target.container.stateHandler?.auth?.value ?? '') : '';
  return [...startsOf(target).flatMap(({ secrets }) => secrets.flatMap((text) => text.split(','))), auth];
}

/** Hard budgets, never exceeded; null means that the profile and the target decide. */
interface Budgets {
  readonly maxRequests: number | null;
  readonly maxQuota: number | null;
  readonly maxSubscriptions: number | null;
  readonly maxDurationMs: number | null;
}

export interface StateHandlerSettings {
  readonly url: string;
  readonly auth: { readonly name: string; readonly value: string } | null;
}

interface SinkSettings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly publicUrl: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

/** API keys by purpose. `primary` and `other` belong to two different enterprises. */
export interface KeySettings {
  readonly primary: readonly string[];
  readonly other: readonly string[];
  readonly revoked: string | null;
  readonly disabled: string | null;
  readonly noEntitlement: string | null;
  readonly suspended: string | null;
  readonly exhausted: string | null;
}

/** Bookings that the target is known to support; null if the config names none. */
interface ItinerarySettings {
  readonly domestic: Itinerary | null;
  readonly international: Itinerary | null;
  readonly twoLeg: Itinerary | null;
  /** An airline code that the target does not support. */
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

/** A flight and date that the target is known to serve; its legs if they are known. */
export interface KnownFlight {
  readonly flightNumber: string;
  /** `YYYY-MM-DD`, or days from the day of the run. */
  readonly departureDate: string | number;
  readonly legs: readonly { readonly departure: string; readonly arrival: string }[];
}

/** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` of the environment. */
export interface EnvironmentProxy {
  readonly http: string | null;
  readonly https: string | null;
  /** Comma-separated. */
  readonly none: string;
}

export interface HttpSettings {
  readonly connectTimeoutMs: number;
  /** Longest time from sending a request to the last byte of its response. */
  readonly responseTimeoutMs: number;
  /** Most bytes of a response body that are read; a longer body is cut off and its connection closed. */
  readonly maxBodyBytes: number;
  readonly proxy: string | null;
  /** PEM text of extra certificate authorities. */
  readonly extraCa: string | null;
  /** PEM texts of a client certificate and its key; null for none. */
  readonly clientCert: string | null;
  readonly clientKey: string | null;
  /** The proxy variables of the environment; left out if there are none, and ignored if `proxy` is set. */
  readonly environmentProxy?: EnvironmentProxy;
  readonly headers: Readonly<Record<string, string>>;
}

/** The limits that the run stays below: those of the environment, or its share of them. */
export function pacedLimits({ limits, share }: Pick<Settings, 'limits' | 'share'>): Settings['limits'] {
  const part = (limit: number) => Math.max(1, Math.floor(limit * share));
  return { perMinute: part(limits.perMinute), perHour: part(limits.perHour) };
}
