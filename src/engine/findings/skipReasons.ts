import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';

/** Why a rule of a property was not judged if no generated case exercised it. */
export const noCaseCame = 'no generated case of this run came to it';

/** Why a new record was not judged: the record book had one that is as good. */
export const earlierRecordUsed =
  'a record of an earlier run is used instead of a new one: --fresh, with a larger --max-quota, makes one';

/** Why a passively judged rule was not judged. */
export const noSample = 'no answer of this run was a sample of it';

/** Why a passively judged rule was not judged, with what the run lacks to produce a sample. */
export function noSampleOf(requirement: string, lacking: ReadonlyMap<string, string | null>): string {
  const row = loadCatalogue().get(requirement);
  const need = 'sampleNeeds' in row ? row.sampleNeeds : null;
  const hint = need === null ? undefined : lacking.get(need);
  if (need === null || hint === undefined) return noSample;
  return `${noSample}, which needs ${need}${hint === null ? '' : `. ${hint}`}`;
}

/** Why a rule about the first registration of a callback was not judged. */
export const keyOfEarlierRun = 'the leg has its callback since an earlier run, and its key is lost';
