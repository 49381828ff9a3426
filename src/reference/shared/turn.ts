/** A turn of the event loop, as a store over the network would take: other requests run meanwhile. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
