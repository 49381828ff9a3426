/** One of many tenants that sends a share of all in every second turn; the turns between show how it is without. */
export interface NoisyTurns {
  readonly share: number;
  readonly turnMs: number;
}

/** Quiet turns, each with a noisy one after it: what else a machine does comes in both. */
export const noisyPairs = 6;

/** Cuts a load into turns. */
export function noisyTurns(share: number, durationMs: number): NoisyTurns {
  return { share, turnMs: durationMs / (2 * noisyPairs) };
}

/** Number of the turn whose figures a time of the load belongs to; null at the beginning of a quiet turn, where what the noisy one before it left is still worked off. */
export function measuredTurnAt(turns: NoisyTurns, atMs: number): number | null {
  const turn = turnAt(turns, atMs);
  return turn % 2 === 0 && atMs < (turn + 0.5) * turns.turnMs ? null : turn;
}

/** Number of the turn that a time of the load lies in; odd ones are noisy. */
function turnAt({ turnMs }: NoisyTurns, atMs: number): number {
  return Math.min(2 * noisyPairs - 1, Math.max(0, Math.floor(atMs / turnMs)));
}

/** Whether one tenant is noisy at that time of the load. */
export function isNoisyAt(turns: NoisyTurns, atMs: number): boolean {
  return turnAt(turns, atMs) % 2 === 1;
}
