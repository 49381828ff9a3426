import { createRandom, deriveSeed } from '../../core/random.ts';
import { defects } from '../../reference/defects.ts';
import { pairwise, randomAssignment, type Assignment } from './coveringArray.ts';
import { factors, type ProofJob } from './job.ts';
import type { ProofSettings } from './proofSettings.ts';
import { setUps } from './setUp.ts';

/** The job that judges the documented policy. */
export const documentedJob = 'documented';

/** The deployments to judge: every conforming one first, then each defect in the default dialect. */
export function jobsOf(settings: ProofSettings): readonly ProofJob[] {
  const all = settings.curve ? defectJobs(settings) : [...dialectJobs(settings), ...defectJobs(settings)];
  return all.filter((one) => one.id === documentedJob || isDrawn(one, settings.sample));
}

function dialectJobs(settings: ProofSettings): readonly ProofJob[] {
  const all = factors();
  const documented: readonly Assignment[] = settings.dialects === 'none' ? [] : [{}];
  const covering = [...documented, ...(settings.dialects === 'all' ? pairwise(all, settings.seed) : [])];
  const random = createRandom(deriveSeed(settings.seed, 'dialects'));
  const drawn = Array.from({ length: settings.randomDialects }, () => randomAssignment(all, random));
  return [
    ...covering.map((dialect, index) =>
      job(settings, index === 0 ? documentedJob : `covering-${index}`, { dialect }),
    ),
    ...drawn.map((dialect, index) => {
      // Most users have less in hand than the covering array is judged with.
      const setUp = settings.setUp ?? setUps[index % setUps.length] ?? 'embedded';
      return job(settings, `random-${index + 1}-${setUp}`, { dialect, setUp });
    }),
  ];
}

function isDrawn({ id, draw }: ProofJob, share: number): boolean {
  return share >= 1 || createRandom(deriveSeed(draw, id))() < share;
}

function defectJobs(settings: ProofSettings): readonly ProofJob[] {
  const wanted = settings.defects.filter(({ api }) => api === 'shared' || settings.apis.includes(api));
  return wanted.map(({ id }) => job(settings, `defect-${id}`, { defect: id }));
}

/** The limit checks fill budgets: they are added if limits are affected, and otherwise left out. */
const limitRequests = 2600;

function concernsLimits({ defect }: Partial<Pick<ProofJob, 'dialect' | 'defect'>>): boolean {
  const row = defects.find(({ id }) => id === defect);
  return row === undefined || [...row.kills, ...row.alsoFail].some((id) => id.startsWith('SHR-LIM-'));
}

function job(
  settings: ProofSettings,
  id: string,
  what: Partial<Pick<ProofJob, 'dialect' | 'defect' | 'setUp'>>,
): ProofJob {
  const { profile, overHttp, only, others } = settings;
  const withLimits = concernsLimits(what);
  const maxRequests =
    settings.maxRequests === null ? null : settings.maxRequests + (withLimits ? limitRequests : 0);
  // Each deployment has its own seed: what one sample of generated cases misses, the next may show.
  const seed = deriveSeed(settings.seed, id);
  return {
    id,
    dialect: {},
    defect: null,
    setUp: settings.setUp ?? (settings.curve ? 'one-key' : 'embedded'),
    ...what,
    seed,
    profile,
    maxRequests,
    withLimits,
    overHttp,
    others,
    draw: deriveSeed(settings.draw ?? settings.seed, id),
    only,
    apis: settings.apis,
  };
}
