import type { Policy } from '../policy.ts';

/** One way in which conforming deployments differ; the first variant is what `documentedPolicy` does. */
export interface DialectPoint {
  readonly name: string;
  /** Id of the open point, such as WCI-OPN-011; null for what the documents leave free without a question. */
  readonly openPoint: string | null;
  readonly variants: Readonly<Record<string, Partial<Policy>>>;
}

/** A dialect point; no two of them may touch the same member of the policy, so that they combine freely. */
export function point(
  name: string,
  openPoint: string | null,
  variants: Readonly<Record<string, Partial<Policy>>>,
): DialectPoint {
  return { name, openPoint, variants };
}
