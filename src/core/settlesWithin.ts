/**
 * Waits for something for at most `ms` of real time; resolves to whether it was done by then. Its later outcome is ignored.
 * Rejects if it fails in time.
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
