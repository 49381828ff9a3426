import type { Policy } from './policy.ts';

/** One way in which conforming deployments differ; the first variant is what `documentedPolicy` does. */
export interface DialectPoint {
  readonly name: string;
  /** Id of the open point, such as WCI-OPN-011. */
  readonly openPoint: string;
  readonly variants: Readonly<Record<string, Partial<Policy>>>;
}

export const dialectPoints: readonly DialectPoint[] = [];
