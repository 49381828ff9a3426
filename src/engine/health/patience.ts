/** How much trouble a target may cause before a run draws a conclusion: the one table. Counts are of answers in a row. */
export const patience = {
  /** Missing answers, before it is asked whether the target is still there. */
  missing: 8,
  /** Server errors or missing answers, before the same is asked: more requests would not help a deployment in trouble. */
  errors: 16,
  /** Answers that do not look like the API, before it is asked whether something else answers now. */
  foreign: 6,
  /** Gateway errors or missing answers of one kind of request, before that kind is left alone. */
  ofOneKind: 24,
  /** Requests that the rate limit refused for good; more would only make it worse. */
  refusals: 3,
  /** How long a target must be away to count as lost: a deployment that is being rolled out is back sooner. */
  awayMs: 4_000,
  /** How long an instance usually takes to restart: the wait before a disturbed check is run again. */
  restartMs: 2_000,
  /** All these waits of a run together: a network that breaks again and again goes on doing so. */
  allRestartsMs: 20_000,
} as const;
