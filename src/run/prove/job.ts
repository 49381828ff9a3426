import type { Level } from '../../catalogue/row.ts';
import type { Api } from '../../core/operations.ts';
import type { Profile } from '../../core/settings.ts';
import type { VerdictStatus } from '../../judge/kernel/verdict.ts';
import { defects } from '../../reference/defects.ts';
import { dialectPoints } from '../../reference/dialects.ts';
import { documentedPolicy, type Policy } from '../../reference/policy.ts';
import type { Assignment, Factor } from './coveringArray.ts';
import type { SetUp } from './setUp.ts';

/** One deployment to judge: a dialect, perhaps with a defect. Plain data, so that it can be sent to threads. */
export interface ProofJob {
  readonly id: string;
  /** Variant by dialect point; other points have their default. */
  readonly dialect: Assignment;
  /** Id of the defect; null for a conforming deployment. */
  readonly defect: string | null;
  readonly seed: number;
  readonly profile: Profile;
  readonly maxRequests: number | null;
  /** Whether to run the checks that fill the rate limits as well. */
  readonly withLimits: boolean;
  readonly overHttp: boolean;
  /** What the user has in hand. */
  readonly setUp: SetUp;
  /** The share of the checks to run that concern none of the defect's rows; all of them are run where the defect does not show. */
  readonly others: number;
  /** What draws them. */
  readonly draw: number;
  readonly only: readonly string[];
  readonly apis: readonly Api[];
}

/** What the checks said about it. */
export interface JobResult {
  readonly job: string;
  /** Rows of the catalogue that neither passed nor were simply skipped, by verdict. */
  readonly rows: readonly {
    readonly id: string;
    readonly level: Level;
    readonly status: VerdictStatus;
    readonly reason: string | null;
    /** How often it was judged. */
    readonly samples: number;
  }[];
  readonly requests: number;
  /** Number of the first request whose answer was found to be wrong. */
  readonly requestsToFirstFinding: number | null;
  /** Rows that the passive oracles saw broken: what anybody who only watches this traffic would see. */
  readonly watched: readonly string[];
  /** Checks and fixtures whose traffic showed something wrong. */
  readonly tellers: readonly string[];
  /** The requirement that each cause starts with, the first to read first. */
  readonly leads: readonly string[];
  readonly cpuMs: number;
  /** An error of Gatecheck that kept it from judging; null if it judged. */
  readonly fault: string | null;
}

/** The open points of the reference as factors. */
export function factors(): readonly Factor[] {
  return dialectPoints.map(({ name, variants }) => ({ name, variants: Object.keys(variants) }));
}

/** The policy of a job. Throws where it names a point, a variant or a defect that does not exist. */
export function policyOfJob({ dialect, defect }: Pick<ProofJob, 'dialect' | 'defect'>): Policy {
  const patches = Object.entries(dialect).map(([name, variant]) => {
    const patch = dialectPoints.find((point) => point.name === name)?.variants[variant];
    if (!patch) throw new Error(`the reference has no dialect ${name}=${variant}`);
    return patch;
  });
  const row = defect === null ? null : defects.find(({ id }) => id === defect);
  if (row === undefined) throw new Error(`the reference has no defect ${defect ?? ''}`);
  return Object.assign({}, documentedPolicy, ...patches, row?.policy) as Policy;
}
