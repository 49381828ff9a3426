/**
 * Waits for something, but no longer than so many milliseconds of real time; says whether it was done by then. What comes of it
 * later is ignored. Rejects where it fails in time.
 */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
