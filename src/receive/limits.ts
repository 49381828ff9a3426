/** What the sink takes at most, so that no sender can fill its memory or hold it for ever. */
export interface SinkLimits {
  /** Bytes of a body that are kept; what is longer is marked as truncated. */
  readonly keptBytes: number;
  /** Bytes of a body that are read; what is longer gets 413. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly connections: number;
  /** Of one address; beyond them, the oldest ones on which nothing is being answered are closed. */
  readonly connectionsOfPeer: number;
  /** Milliseconds from the first to the last byte of a request. */
  readonly requestMs: number;
  /** Milliseconds for which a connection is held without an answer, where the script says silence. */
  readonly silenceMs: number;
  /** Milliseconds that deliveries under way get to end when the sink closes. */
  readonly drainMs: number;
}

export const defaultLimits: SinkLimits = {
  keptBytes: 64 * 1024,
  bodyBytes: 1024 * 1024,
  headerBytes: 64 * 1024,
  connections: 2_000,
  connectionsOfPeer: 500,
  requestMs: 30_000,
  silenceMs: 60_000,
  drainMs: 3_000,
};
