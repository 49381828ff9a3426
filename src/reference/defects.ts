import type { Policy } from './policy.ts';

/** One mistake of an implementer: exactly one policy point has a wrong value. */
export interface Defect {
  readonly id: string;
  readonly api: 'webcheckin' | 'flight-alerts' | 'shared';
  /** The rule that is broken, in words. */
  readonly breaks: string;
  readonly policy: Partial<Policy>;
  /** Requirements whose checks must find it. */
  readonly kills: readonly string[];
  /** Requirements that cannot but fail with it. */
  readonly alsoFail: readonly string[];
  /** Whether it shows under a special condition only. */
  readonly conditional: boolean;
}

export const defects: readonly Defect[] = [];
