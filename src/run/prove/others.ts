import { createRandom, deriveSeed } from '../../core/random.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { isBroken } from '../../judge/kernel/weight.ts';
import { defects } from '../../reference/defects.ts';
import { lastLook } from '../../engine/order.ts';
import type { JobResult, ProofJob } from './job.ts';

/**
 * The checks to begin with for a defect where a share of the others suffices: those that verify a row that it breaks, those with which every run ends,
 * and the share, drawn by `draw`. Undefined where all are to run.
 */
export function checksFor(
  { defect, others, draw }: Pick<ProofJob, 'defect' | 'others' | 'draw'>,
  checks: readonly EngineCheck[],
): ReadonlySet<string> | undefined {
  const row = defects.find(({ id }) => id === defect);
  if (row === undefined || others >= 1) return undefined;
  const broken = new Set([...row.kills, ...row.alsoFail]);
  const chosen = checks.filter(
    ({ id, verifies, tags }) =>
      verifies.some((verified) => broken.has(verified)) ||
      tags.includes(lastLook) ||
      createRandom(deriveSeed(draw, id))() < others,
  );
  return new Set(chosen.map(({ id }) => id));
}

/** Whether all rows that a defect kills are broken in a result. */
export function isShown({ defect }: Pick<ProofJob, 'defect'>, { rows }: Pick<JobResult, 'rows'>): boolean {
  const broken = new Set(rows.filter(isBroken).map(({ id }) => id));
  return defects.find(({ id }) => id === defect)?.kills.every((id) => broken.has(id)) ?? false;
}
