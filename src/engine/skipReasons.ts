import type { Capability } from '../plan/check.ts';

/** Why a rule of a property was not judged if no generated case exercised it. */
export const noCaseCame = 'no generated case of this run came to it';

/** Why a new record was not judged: the record book had one that is as good. */
export const earlierRecordUsed =
  'a record of an earlier run is used instead of a new one: --fresh, with a larger --max-quota, makes one';

/** Why a passively judged rule was not judged. */
export const noSample = 'no answer of this run was a sample of it';

/** What produces samples for passively judged rules that ordinary traffic does not show. */
export const sampleNeeds: ReadonlyMap<string, Capability> = new Map<string, Capability>([
  ['SHR-ERR-008', 'no-entitlement-key'],
  ['SHR-ERR-025', 'state:provider.fail'],
  ...(['SHR-LIM-018', 'SHR-LIM-019', 'SHR-LIM-022'] as const).map((row) => [row, 'limit-minute'] as const),
  ['WCI-DT-035', 'state:checkin.progress'],
  ...(['FLA-CB-002', 'FLA-CB-004', 'FLA-CB-005', 'FLA-CB-007', 'FLA-CB-015'] as const).map(
    (row) => [row, 'public-sink'] as const,
  ),
]);

/** Why a passively judged rule was not judged, with what the run lacks to produce a sample. */
export function noSampleOf(requirement: string, lacking: ReadonlyMap<string, string | null>): string {
  const need = sampleNeeds.get(requirement);
  const hint = need === undefined ? undefined : lacking.get(need);
  if (need === undefined || hint === undefined) return noSample;
  return `${noSample}, which needs ${need}${hint === null ? '' : `. ${hint}`}`;
}

/** Why a rule about the first registration of a callback was not judged. */
export const keyOfEarlierRun = 'the leg has its callback since an earlier run, and its key is lost';
