/** The rates of two clocks may differ by this share: certain conclusions are drawn for a slightly shorter window. */
const drift = 0.001;

/** A store that counts in whole seconds frees a place up to a second or two late, which the documents allow. */
const coarseMs = 2000;

/** Requests this close together are certainly in one window. */
export function certainWindow(windowMs: number): number {
  return windowMs * (1 - drift);
}

/** Requests further apart than this are never in one window. */
export function possibleWindow(windowMs: number): number {
  return windowMs * (1 + drift) + coarseMs;
}
