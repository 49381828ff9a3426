import type { OperationId } from './operations.ts';

/** Header fields as they were on the wire: order, case and repetition kept. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** One request and its outcome, immutable. Everything that a judge may look at. */
export interface Exchange {
  /** `x1`, `x2`, … in the order of sending. */
  readonly id: string;
  /** Id of the check that caused it, or `discovery` or `fixture`. */
  readonly check: string;
  /** The documented operation that was addressed; null for anything else. */
  readonly operation: OperationId | null;
  /** The enterprise of the key; null if no active key of a known enterprise was sent. */
  readonly enterprise: string | null;
  /** Label of the key, such as `primary#1`; null if none was sent. */
  readonly key: string | null;
  readonly request: RecordedRequest;
  readonly outcome: Outcome;
  readonly timings: Timings;
}

export interface RecordedRequest {
  readonly method: string;
  /** Base address of the request, without a trailing slash. */
  readonly baseUrl: string;
  /** Path and query as sent, relative to the base address. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  /** Requests with the same name shared one connection of their own; left out where any would do. */
  readonly connection?: string;
}

export type Outcome =
  | { readonly kind: 'response'; readonly response: RecordedResponse }
  | { readonly kind: 'failure'; readonly failure: TransportFailure };

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** At most the configured number of bytes; `truncated` says whether there was more. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

/**
 * Why no complete response came. By itself it never counts against the deployment: a check that depends on it is inconclusive,
 * unless the same happens each time while other requests are answered.
 */
export interface TransportFailure {
  readonly reason:
    'refused' | 'unresolved' | 'timeout' | 'reset' | 'tls' | 'protocol' | 'aborted' | 'too-large' | 'other';
  readonly message: string;
  /** True if bytes of the request may have reached the target, so that it may have acted on them. */
  readonly maybeDelivered: boolean;
}

/** `sentAt`/`receivedAt` are epoch milliseconds; `sent`, `received` are monotonic milliseconds of the same two instants. */
export interface Timings {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly sent: number;
  readonly received: number;
}

/** Something that was on the wire: a request that Gatecheck sent with its answer, or a callback that it received. */
export type Evidence = Exchange | Delivery;

export function isDelivery(evidence: Evidence): evidence is Delivery {
  return 'registration' in evidence;
}

export function isExchange(evidence: Evidence): evidence is Exchange {
  return !isDelivery(evidence);
}

/** One delivery that reached the callback sink, as it was on the wire. */
export interface Delivery {
  /** `c1`, `c2`, … in the order of arrival. */
  readonly id: string;
  /** Token of the mailbox that its path belongs to. */
  readonly registration: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** Epoch milliseconds at which its first and its last byte arrived. */
  readonly startedAt: number;
  readonly receivedAt: number;
  /** Identifies the connection within the run. */
  readonly connection: string;
  /** What the sink answered: a status, or how it broke the connection. */
  readonly answer: string;
}
