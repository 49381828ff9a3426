import type { Settings } from '../../core/settings.ts';
import type { ResultSettings } from '../../report/buildResult.ts';
import type { Target } from '../../target/target.ts';

/** The name of a journal's event that says what run it is, before anything is sent. */
export const headEvent = 'head';

/** What a result says first, and what it is made with, as the journal holds it. */
export interface RecordedHead {
  readonly runId: string;
  readonly startedAt: number;
  readonly command: string;
  readonly settings: ResultSettings;
  readonly target: Pick<Target, 'kind' | 'baseUrls'>;
  readonly capabilities: readonly string[];
}

/** What is written down of a run when it begins. */
export function headOf(
  { apis, profile, seed, shard, only, openPoints, require, minMust, strict }: Settings,
  rest: Omit<RecordedHead, 'settings'>,
): RecordedHead {
  return { ...rest, settings: { apis, profile, seed, shard, only, openPoints, require, minMust, strict } };
}
