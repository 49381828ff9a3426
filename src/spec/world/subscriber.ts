import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Trait } from '../kernel/blame.ts';
import type { FlightNotice } from './notice.ts';
import type { Mark } from './outbox.ts';
import type { LegChange } from './upstream.ts';

/** A callback of a leg, with what was delivered to it. */
export interface Subscriber {
  /** Of its leg. */
  readonly name: string;
  readonly url: string;
  readonly fid: string;
  /** The enterprise. */
  readonly owner: string;
  readonly by: Exchange;
  /** The leg as it was shown when it was registered. */
  readonly registered: JsonObject;
  /** What sets it apart from other callbacks. */
  readonly traits: Set<Trait>;
  /** Changes whose notices are not judged yet, with what came since the first of them. */
  owed: readonly Owed[];
  /** When the last of them was made. */
  owedAt: Mark;
  notices: readonly FlightNotice[];
  /** What came before, which may come again. */
  earlier: readonly FlightNotice[];
  /** Another leg has the same address and fid, or its notices name another one. */
  isUnsure: boolean;
  /** Since when no delivery was answered 2xx, by the deployment's clock; null where the latest one was. */
  failingSince: number | null;
  wasRedirected: boolean;
}

/** What is known about the notices of some changes. */
export interface Due {
  readonly subscriber: Subscriber;
  readonly changes: readonly Owed[];
  /** No more can come. */
  readonly isOver: boolean;
  /** What came at the moment of the next change may be about either. */
  readonly doubtful: readonly FlightNotice[];
}

/** What has to be so, as the world comes to know of it. */
export interface NoticeRules {
  /** Whether all that changed is told. */
  readonly isTold: (due: Due) => boolean;
  readonly judge: (due: Due) => void;
  /** A notice came to an address that nobody registered, after a redirect answer. */
  readonly followed: (notice: Delivery, subscriber: Subscriber) => void;
}

/** A change that a subscriber has to be notified of. */
export interface Owed extends LegChange {
  /** For how many milliseconds all deliveries had not been answered 2xx by then. */
  readonly failingMs: number;
  /** What set the callback apart by then. */
  readonly traits: readonly Trait[];
  /** The date of the leg is past in UTC. */
  readonly isPast: boolean;
}
