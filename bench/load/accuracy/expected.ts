/** How a server stands still. */
interface Stalls {
  readonly everyMs: number;
  readonly stallMs: number;
  readonly workMs: number;
}

/**
 * What this share of requests, coming evenly whatever happened to those before, take at most: of each period, those that come
 * during the stall wait for the rest of it.
 */
export function expectedPercentile(share: number, { everyMs, stallMs, workMs }: Stalls): number {
  const held = stallMs / everyMs;
  const beyond = 1 - share / 100;
  // The longest waits are of those who come first: a share of `beyond` of all comes in the first beyond / held of the stall.
  return beyond >= held ? workMs : workMs + stallMs * (1 - beyond / held);
}
