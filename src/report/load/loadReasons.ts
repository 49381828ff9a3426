import type { SessionEnd } from '../../engine/ending.ts';
import type { LoadSummary } from '../../load/summary.ts';
import { plural } from '../text/format.ts';

/** Why a load ends as it does, a sentence each, by what they mean for the exit code. */
export interface LoadReasons {
  readonly interrupted: readonly string[];
  readonly gate: readonly string[];
  readonly unclear: readonly string[];
  readonly notes: readonly string[];
}

/** Sorts what there is to say. Where several apply, the exit code is that of the first kind. */
export function loadReasons(summary: LoadSummary, end: SessionEnd, strict: boolean): LoadReasons {
  const { counts, thresholds, limiter, workers } = summary;
  const missed = thresholds.filter(({ met }) => !met);
  const over = limiter?.overAdmitted.length ?? 0;
  const early = limiter?.underAdmitted.length ?? 0;
  const earlyText = `${plural(early, 'key')} refused though certainly below the limits.`;
  return {
    interrupted: sentences([[end === 'interrupted', 'The load was interrupted.']]),
    gate: sentences([
      [over > 0, `The limiter admitted more than a limit allows, ${plural(over, 'time')}.`],
      [missed.length > 0, `Thresholds not met: ${missed.map(thresholdText).join(', ')}.`],
      [strict && early > 0, `${earlyText} --strict refuses that.`],
    ]),
    unclear: sentences([
      [end === 'target-lost', 'The target could not be reached or was lost on the way.'],
      [end === 'key-refused', 'The target refused the primary key.'],
      [end === 'not-this-api', 'What answers is not this API.'],
      [end === 'budget', 'A budget ended the load before its plan was done.'],
      [
        end === 'completed' && counts.ok + counts.refused === 0,
        'No request was answered as it should have been.',
      ],
      [workers?.incomplete === true, 'Parts of the load were done by no worker.'],
    ]),
    notes: sentences([
      [!strict && early > 0, earlyText],
      [counts.lost > 0, `${plural(counts.lost, 'request')} broken off or lost with a worker.`],
    ]),
  };
}

function thresholdText({ threshold, actual, samples }: LoadSummary['thresholds'][number]): string {
  return samples === 0 ? `${threshold} (no samples)` : `${threshold} (got ${actual ?? 'nothing'})`;
}

function sentences(table: readonly (readonly [applies: boolean, sentence: string])[]): string[] {
  return table.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
