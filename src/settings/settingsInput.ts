import type { Api } from '../core/operations.ts';
import type {
  Budgets,
  ContainerSettings,
  HttpSettings,
  ItinerarySettings,
  KeySettings,
  Settings,
  SinkSettings,
  StateHandlerSettings,
} from '../core/settings.ts';
import type { Problem } from './problem.ts';

/** The target as one source names it: one address for both APIs, or some of the two addresses. */
export type TargetInput =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'image'; readonly reference: string }
  | { readonly kind: 'url'; readonly url: string | null; readonly baseUrls: Partial<Record<Api, string>> };

type Groups = 'budgets' | 'sink' | 'keys' | 'itineraries' | 'limits' | 'http' | 'stateHandler' | 'target';

/** What one source (command line, environment or file) says; whatever it leaves out is decided by the next one. */
export interface SettingsInput extends Partial<Omit<Settings, Groups>> {
  readonly target?: TargetInput;
  readonly budgets?: Partial<Budgets>;
  readonly sink?: Partial<SinkSettings>;
  readonly keys?: Partial<KeySettings>;
  readonly itineraries?: Partial<ItinerarySettings>;
  readonly limits?: Partial<Settings['limits']>;
  readonly http?: Partial<HttpSettings>;
  readonly stateHandler?: Partial<StateHandlerSettings>;
  /** How the image is started, where the target is one. */
  readonly container?: ContainerSettings;
}

/** One source as read: its values, and what is wrong with it. */
export interface Layer {
  readonly input: SettingsInput;
  readonly problems: readonly Problem[];
}

/** A record without its undefined members, so that a later source does not hide an earlier one by saying nothing. */
export function defined<T extends object>(record: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}
