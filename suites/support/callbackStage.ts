import {
  type ApiKey,
  type CallbackAddress,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  type Shown,
  type KeyChoice,
} from '../checks.ts';
import { type Scenario, type SceneStep, scriptOf } from './callbackScenarios.ts';
import { withKey } from './enterprises.ts';

/** Keys of each of the two enterprises: enough that no scene waits for a limit. */
export const keysPerEnterprise = 24;

/** A record of the scene, and what was done to it and seen of it. */
export interface SceneRecord {
  readonly record: OwnRecord;
  readonly enterprise: number;
  /** Null for one without callbackData. */
  readonly address: CallbackAddress | null;
  readonly polled: Shown[];
  readonly moves: { readonly from: Shown; readonly to: Shown }[];
  updates: number;
  readonly reads: Exchange[];
}

/** What a scene plays on: the keys of two enterprises, the bodies of two bookings, and the records made so far. */
export class CallbackStage {
  readonly actors = new Map<string, SceneRecord>();
  readonly #t: CheckContext;
  readonly #scenario: Scenario;
  readonly #keys: readonly (ApiKey | undefined)[];
  readonly #bodies: readonly JsonObject[];

  constructor(
    t: CheckContext,
    scene: Scenario,
    keys: readonly (ApiKey | undefined)[],
    bodies: readonly JsonObject[],
  ) {
    this.#t = t;
    this.#scenario = scene;
    this.#keys = keys;
    this.#bodies = bodies;
  }

  keyOf({ enterprise }: { readonly enterprise: number }): KeyChoice {
    const key = this.#keys[enterprise];
    if (!key) throw new Error('keys of two enterprises were to be made');
    return withKey(key);
  }

  /** The body of a booking; both enterprises subscribe the same two. */
  body({ booking }: SceneStep): JsonObject {
    return this.#bodies[booking] ?? {};
  }

  open({ enterprise, booking }: SceneStep): CallbackAddress {
    // Where the clock does not move the queue, a failed delivery would be waited for too long.
    const faults = this.#t.state.clock.has('callbacks')
      ? (this.#scenario.faults[enterprise]?.[booking] ?? [])
      : [];
    return this.#t.callbacks.open('webcheckin', scriptOf(faults));
  }

  get addresses(): readonly CallbackAddress[] {
    return [...this.actors.values()].flatMap(({ address }) => (address ? [address] : []));
  }
}

/** The place of a record: its enterprise and its booking. */
export function placeInScene({ enterprise, booking }: SceneStep): string {
  return `${enterprise}/${booking}`;
}
