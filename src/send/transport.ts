import type { Headers, Outcome, Timings } from '../core/evidence.ts';

/** A request as it goes on the wire. */
export interface WireRequest {
  /** Without a trailing slash; may hold a path prefix. */
  readonly baseUrl: string;
  readonly method: string;
  /** Path and query, as they are to stand on the wire. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
}

export interface WireResult {
  readonly outcome: Outcome;
  readonly timings: Timings;
}

/** The way to a deployment. A failure of the network is a result, never a rejection. */
export interface Transport {
  send(request: WireRequest): Promise<WireResult>;
  /** Breaks off what is under way and frees all connections. */
  close(): Promise<void>;
}
