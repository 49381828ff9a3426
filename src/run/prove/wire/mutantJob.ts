import type { EngineCheck } from '../../../engine/suite.ts';
import type { Mutant } from '../../../wire/mutants/place.ts';
import { Setup } from '../../../wire/stage.ts';
import type { Template } from '../../../wire/templates.ts';
import { judgeReference } from '../judgeReference.ts';
import { knownKeys, wireRequests } from './record.ts';
import { isOpen, Trial, undecidedMutant, type Deployment, type MutantResult } from './trial.ts';

/** One mutant to judge, with the checks that meet its place. Plain data, so that it can be sent to threads. */
export interface MutantJob {
  readonly kind: 'mutant';
  readonly id: string;
  readonly mutant: Mutant;
  readonly checks: readonly string[];
  /** Whether it is judged by a complete run if these checks miss it: an accepted one need not be noticed. */
  readonly retried: boolean;
  readonly seed: number;
}

/**
 * Judges the reference behind one mutant, and ends with the first broken row: first with the checks that meet its place, in
 * short runs, and if they miss it, with a complete run, like that of a user. Never rejects.
 */
export async function runMutant(
  job: MutantJob,
  checks: readonly EngineCheck[],
  templates: readonly Template[],
): Promise<MutantResult> {
  const { mutant } = job;
  const deployment = reference(job, checks, templates);
  try {
    const first = await new Trial(mutant, deployment).judge(job.checks);
    if (!job.retried || !isOpen(first)) return first;
    const second = await new Trial(mutant, deployment).judge(wholeRun(job, checks));
    return second.status === 'idle' ? first : second;
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...undecidedMutant(job, 'fault'), reason };
  }
}

function reference(
  { seed }: MutantJob,
  checks: readonly EngineCheck[],
  templates: readonly Template[],
): Deployment {
  return {
    checks,
    judge: (options) => judgeReference({ checks, seed, maxRequests: wireRequests, ...options }),
    stageAt: (clock) => new Setup({ clock, known: knownKeys(seed), templates }),
  };
}

/** Every check, except those of the limits, which send thousands of requests: they only run if they meet the place. */
function wholeRun({ checks: own }: MutantJob, checks: readonly EngineCheck[]): readonly string[] {
  return checks.filter(({ id, tags }) => own.includes(id) || !tags.includes('limits')).map(({ id }) => id);
}
