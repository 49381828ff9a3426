// The messages between a proxy and its page; types only, since each side is a separate program.
import type { ArrivalView } from './news.ts';

/** A fault in force, and how often it struck. */
export interface FaultView {
  readonly id: number;
  readonly text: string;
  readonly struck: number;
  readonly isOver: boolean;
}

/** Something that passed the proxy, as people may see it. */
export interface PassedView {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly kind: 'request' | 'callback';
  /** Operation, or method and path. */
  readonly what: string;
  /** Label of the key; empty for none. */
  readonly key: string;
  readonly answer: string;
  readonly ms: number;
  /** Faults that struck it, and what the client did that it should not. */
  readonly notes: readonly string[];
  /** What it breaks of the documents. */
  readonly violated: readonly { readonly id: string; readonly title: string }[];
  readonly request: ArrivalView;
  readonly response: ArrivalView | null;
}

export interface ProxyCounts {
  requests: number;
  callbacks: number;
  violated: number;
  struck: number;
  /** Neither recorded nor judged, since the recording was full. */
  unrecorded: number;
}

/** All that changed since a reader looked last. */
export interface ProxyNews {
  readonly passed: readonly PassedView[];
  readonly faults: readonly FaultView[];
  readonly counts: Readonly<ProxyCounts>;
}

/** What a user may request, by the last part of the path that it is posted to. */
export interface ProxyRequests {
  readonly fault: { readonly fault: string };
  readonly drop: { readonly id: number };
}
