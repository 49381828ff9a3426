/** A value that is made on first use, such as texts that only a search needs. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
