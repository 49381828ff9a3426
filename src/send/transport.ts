import type { Headers, Outcome, Timings } from '../core/evidence.ts';

/** A request as it is sent. */
export interface WireRequest {
  /** Without a trailing slash; may hold a path prefix. */
  readonly baseUrl: string;
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  /** Requests with the same name have a connection to themselves; left out if that does not matter. */
  readonly connection?: string;
  /** It is not sent again if its connection breaks, even if it only reads. */
  readonly once?: true;
}

export interface WireResult {
  readonly outcome: Outcome;
  readonly timings: Timings;
  /** From sending until a connection took the request, in milliseconds; missing if none did, or nobody knows. */
  readonly socketMs?: number;
}

/** The way to a deployment. A failure of the network is a result, never a rejection. */
export interface Transport {
  send(request: WireRequest): Promise<WireResult>;
  /** Sends all requests at the same time, each over a connection of its own; results in the order of the requests. */
  burst?(requests: readonly WireRequest[]): Promise<readonly WireResult[]>;
  /** Aborts requests under way and closes all connections. */
  close(): Promise<void>;
}
