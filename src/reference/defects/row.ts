import type { Policy } from '../policy.ts';

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

type Row = (
  id: string,
  breaks: string,
  policy: Partial<Policy>,
  kills: readonly string[],
  alsoFail?: readonly string[],
) => Defect;

/** Makers of the rows of one API: `always` for what shows in every request, `sometimes` for what needs a condition. */
export function defectsOf(api: Defect['api']): { readonly always: Row; readonly sometimes: Row } {
  const maker =
    (conditional: boolean): Row =>
    (id, breaks, policy, kills, alsoFail = []) => ({ id, api, breaks, policy, kills, alsoFail, conditional });
  return { always: maker(false), sometimes: maker(true) };
}
