/** Limits of the sink, so that no sender can fill its memory or occupy it for ever. */
export interface SinkLimits {
  /** Bytes of a body that are stored; a longer body is marked as truncated. */
  readonly keptBytes: number;
  /** Bytes of a body that are read; a longer body gets 413. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly connections: number;
  /** Most connections of one address; beyond that, the oldest ones without a request under way are closed. */
  readonly connectionsOfPeer: number;
  /** Most milliseconds from the first to the last byte of a request. */
  readonly requestMs: number;
  /** How long a connection is held without an answer if the script says silence, in milliseconds. */
  readonly silenceMs: number;
  /** How long deliveries under way may take to end when the sink closes, in milliseconds. */
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

/** For the sink of a load: a deployment may send the webhooks of thousands of changes at once, each over a connection of its own. */
export const stormLimits: Pick<SinkLimits, 'connections' | 'connectionsOfPeer'> = {
  connections: 12_000,
  connectionsOfPeer: 10_000,
};
