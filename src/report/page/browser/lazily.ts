/** A value that is made when it is first used: texts that only a search needs. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
