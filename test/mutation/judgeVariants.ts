import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import type { CatalogueRow } from '../../src/catalogue/row.ts';
import type { Verdict } from '../../src/judge/kernel/verdict.ts';
import type { EngineCheck } from '../../src/engine/suite.ts';
import { judgeReference } from '../../src/run/prove/judgeReference.ts';
import { dialectPoints } from '../../src/reference/dialects.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';

/** The deployments that every mutant is put into: what the documents say, and one that differs at every open point. */
export const variants: readonly string[] = ['documented', 'last variants'];

export interface Trial {
  readonly variant: string;
  readonly checks: readonly EngineCheck[];
  /** Rows that say nothing here, because they do not hold for the unmutated reference either. */
  readonly ignored: ReadonlySet<string>;
  /** End at the first row that fails. */
  readonly bail: boolean;
  /** Requests to be sent at most. */
  readonly maxRequests: number;
}

type JudgedRow = readonly [row: CatalogueRow, verdict: Verdict];

export interface TrialResult {
  /** Musts that failed and shoulds that warned. */
  readonly broken: readonly JudgedRow[];
  /** Musts that stayed undecided, for which the command line ends with code 3. */
  readonly undecided: readonly JudgedRow[];
  /** Why the run ended long before its end, such as a deployment that refuses every key; null where it did not. */
  readonly stopped: string | null;
}

/** Judges one deployment by some of the checks. Throws where it cannot even be set up. */
export async function judgeVariant({
  variant,
  checks,
  ignored,
  bail,
  maxRequests,
}: Trial): Promise<TrialResult> {
  const abort = new AbortController();
  const found = (row: string) => {
    if (bail && isJudged(row) && !ignored.has(row)) abort.abort(new Error('a row failed'));
  };
  let stopped: string | null = null;
  const { verdicts } = await judgeReference({
    checks,
    policy: policyOf(variant),
    maxRequests,
    signal: abort.signal,
    onViolated: (violated) => violated.forEach(found),
    listener: (event) => {
      if (event.name === 'finding') found(event.requirement);
      if (event.name === 'notice') stopped ??= event.text;
    },
  });
  const judged = [...verdicts].filter(([{ id }]) => isJudged(id) && !ignored.has(id));
  return {
    broken: judged.filter(([, { status }]) => status === 'fail' || status === 'warn'),
    undecided: judged.filter(([row, { status }]) => status === 'inconclusive' && row.level === 'must'),
    stopped,
  };
}

/** Whether a row is a must or a should. */
export function isJudged(id: string): boolean {
  return ['must', 'should'].includes(loadCatalogue().get(id).level);
}

function policyOf(variant: string): Policy {
  const patches = dialectPoints.map((point) => {
    const all = Object.values(point.variants);
    return all[Math.ceil(((all.length - 1) * variants.indexOf(variant)) / (variants.length - 1))];
  });
  return Object.assign({}, documentedPolicy, ...patches) as Policy;
}
