import type { Api } from '../core/operations.ts';
import type { SinkReach } from '../plan/sinkReach.ts';
import type { Inbox } from './inbox.ts';

/** The callback sink as a run uses it: an inbox, and the address at which the target reaches it. */
export interface Sink {
  readonly inbox: Inbox;
  /** Without a trailing slash; null for an API whose callbacks cannot reach the sink. */
  readonly urls: Readonly<Record<Api, string | null>>;
  /** For each API whose callbacks cannot reach it: why, and what to do, as sentences. */
  readonly unreached?: Readonly<Partial<Record<Api, string>>>;
  /** How many connections it closed by itself, because too many were open: what came by them is lost. */
  readonly turnedAway?: () => number;
  /** Handles what is still under way, then closes. */
  close(): Promise<void>;
}

/** Which callbacks reach a sink; none without a sink. */
export function reachOf(sink: Sink | null): SinkReach {
  return { webcheckin: hasUrl(sink, 'webcheckin'), 'flight-alerts': hasUrl(sink, 'flight-alerts') };
}

/** How to supply what the sink of this run does not, if a better hint than the general one is known. */
export function sinkHints(sink: Sink | null): Readonly<{ sink?: string; 'public-sink'?: string }> {
  const { webcheckin, 'flight-alerts': flightAlerts } = sink?.unreached ?? {};
  return {
    ...(webcheckin === undefined ? {} : { sink: webcheckin }),
    ...(flightAlerts === undefined ? {} : { 'public-sink': flightAlerts }),
  };
}

function hasUrl(sink: Sink | null, api: Api): boolean {
  return sink !== null && sink.urls[api] !== null;
}
