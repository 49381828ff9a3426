import type { Exchange } from '../core/evidence.ts';
import type { Api } from '../core/operations.ts';
import type { Itinerary } from '../core/settings.ts';
import type { Identities } from '../generate/kit/identity.ts';
import type { Mailbox } from '../receive/mailbox.ts';
import type { Script } from '../receive/script.ts';
import type { ApiKey, KeyRing } from '../send/keyRing.ts';
import type { ApiRequest } from '../send/request.ts';
import type { ItineraryKind } from '../spec/kit/places.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import type { Claimed } from '../trace/evidence.ts';

/** What the explorer may use of a run; the context of a check has all of it. */
export interface Bench {
  readonly keys: KeyRing;
  readonly identities: Identities;
  readonly unknown: {
    readonly checkinId: (like: string, salt?: number) => string;
    readonly bookingId: (salt?: number) => number;
  };
  readonly state: StateHandler;
  readonly callbacks: {
    isReachable(api: Api): boolean;
    open(api: Api, script?: Script): { readonly url: string; readonly mailbox: Mailbox };
    settle(options?: {
      readonly patienceMs?: number;
      readonly besideRepetitions?: boolean;
    }): Promise<unknown>;
  };
  readonly fixtures: {
    itinerary(kind: ItineraryKind): Promise<Itinerary>;
    /** A leg that the deployment serves, with the lookup that showed it. */
    knownLeg(): Promise<{ flightNumber: string; departureDate: string; readonly seen: Exchange }>;
  };
  now(): number;
  /** Whether the deployment's clock is known to within seconds. */
  isClockSure(): boolean;
  monotonic(): number;
  sleep(ms: number): Promise<void>;
  /** How long to wait for what a deployment may do shortly after its answer. */
  grace(ms: number): number;
  claim(claimed: Claimed): void;
  /** The musts that were seen broken so far: how often, by what evidence, and the ids of the records that this is about. */
  broken(): readonly {
    readonly requirement: string;
    readonly count: number;
    readonly evidence: readonly string[];
    readonly records: readonly string[];
  }[];
  /** Says by which situations an exchange, or a record, came about, so that a finding can be shown again. */
  tellStory(of: string, story: readonly string[]): void;
  send(request: ApiRequest): Promise<Exchange>;
  adoptKeys(enterprise: string, values: readonly string[]): readonly ApiKey[];
}

/**
 * Something that can be brought about. It names the cells that it reaches, from coarse to fine: an operation with a rule, a form, a form by
 * a carrier, a form at a place. It asserts nothing: whoever judges the traffic does.
 */
export interface Situation<Stage> {
  readonly name: string;
  /** What it is a case of. */
  readonly family: string;
  readonly cells: readonly string[];
  /** Cells of the other things in it, where it brings several about; none by default. */
  readonly beside?: readonly (readonly string[])[];
  /** Requests that it sends, and what its units and waits are worth in requests. */
  readonly price: number;
  /** Units that it spends and does not get back; none by default. */
  readonly units?: number;
  /** How much its cells are worth, compared with others. */
  readonly worth: number;
  readonly isPossible: (stage: Stage) => boolean;
  readonly bring: (stage: Stage) => Promise<void>;
}
