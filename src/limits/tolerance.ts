/** Two clocks may run at rates that differ by this share: what is certain is so for a window a little shorter. */
const drift = 0.001;

/** A store that counts in whole seconds frees a place up to a second or two late, which the documents leave room for. */
const coarseMs = 2000;

/** Requests this close together are within one window for certain. */
export function certainWindow(windowMs: number): number {
  return windowMs * (1 - drift);
}

/** Requests further apart than this are in no window together. */
export function possibleWindow(windowMs: number): number {
  return windowMs * (1 + drift) + coarseMs;
}
