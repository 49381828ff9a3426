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

/** Id, the rule broken in words, the rows `KILLED also FAILED` and, last, the policy point. */
type Row = (id: string, breaks: string, rows: string, policy: Partial<Policy>) => Defect;

/** Makers of the rows of one API: `always` for what shows in every request, `sometimes` for what needs a condition. */
export function defectsOf(api: Defect['api']): { readonly always: Row; readonly sometimes: Row } {
  const maker =
    (conditional: boolean): Row =>
    (id, breaks, rows, policy) => ({ id, api, breaks, policy, ...readRows(rows), conditional });
  return { always: maker(false), sometimes: maker(true) };
}

/** `'A-1 A-2 also B-1'`: must be found, B-1 cannot but fail with them. */
function readRows(text: string): Pick<Defect, 'kills' | 'alsoFail'> {
  const [kills = '', alsoFail] = text.split(' also ');
  return { kills: kills.split(' '), alsoFail: alsoFail?.split(' ') ?? [] };
}
