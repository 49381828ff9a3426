/** One of many tenants that sends a share of all requests in every second turn; the turns between show the load without that. */
export interface NoisyTurns {
  readonly share: number;
  readonly turnMs: number;
}

/** Number of quiet turns, each followed by a noisy one: whatever else a machine does happens in both. */
export const noisyPairs = 6;

/** Divides a load into turns. */
export function noisyTurns(share: number, durationMs: number): NoisyTurns {
  return { share, turnMs: durationMs / (2 * noisyPairs) };
}

/**
 * Number of the turn whose figures a time of the load belongs to; null at the start of a quiet turn, while the backlog of the
 * noisy one is still being worked off.
 */
export function measuredTurnAt(turns: NoisyTurns, atMs: number): number | null {
  const turn = turnAt(turns, atMs);
  return turn % 2 === 0 && atMs < (turn + 0.5) * turns.turnMs ? null : turn;
}

/** Number of the turn at a time of the load; odd ones are noisy. */
function turnAt({ turnMs }: NoisyTurns, atMs: number): number {
  return Math.min(2 * noisyPairs - 1, Math.max(0, Math.floor(atMs / turnMs)));
}

/** Whether one tenant is noisy at that time of the load. */
export function isNoisyAt(turns: NoisyTurns, atMs: number): boolean {
  return turnAt(turns, atMs) % 2 === 1;
}
