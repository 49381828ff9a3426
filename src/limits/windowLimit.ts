/** One of the two documented limits. */
export interface WindowLimit {
  readonly limit: number;
  readonly windowMs: number;
}
