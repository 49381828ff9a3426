import type { Settings } from '../../core/settings.ts';
import type { BookRole } from '../../engine/observe/recordBook.ts';
import type { ResultSettings } from '../../report/buildResult.ts';
import type { NotedTarget } from '../../target/target.ts';

/** The name of the journal event that identifies the run, before anything is sent. */
export const headEvent = 'head';

/** The head of a result and what it is built with, as stored in the journal. */
export interface RecordedHead {
  readonly runId: string;
  readonly startedAt: number;
  readonly command: string;
  readonly settings: ResultSettings & Pick<Settings, 'readOnly' | 'fresh' | 'share' | 'budgets'>;
  /** Records of earlier runs that the plan counted on. */
  readonly booked: readonly BookRole[];
  readonly target: NotedTarget;
  readonly capabilities: readonly string[];
}

/** What is recorded about a run when it starts. */
export function headOf(settings: Settings, rest: Omit<RecordedHead, 'settings'>): RecordedHead {
  const { apis, profile, seed, shard, only, openPoints, require, minMust, strict } = settings;
  const { readOnly, fresh, share, budgets } = settings;
  const reported = { apis, profile, seed, shard, only, openPoints, require, minMust, strict };
  return { ...rest, settings: { ...reported, readOnly, fresh, share, budgets } };
}
