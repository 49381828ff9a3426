/** At most `limit` requests in any `windowMs`. */
export interface WindowLimit {
  readonly limit: number;
  readonly windowMs: number;
}
