import type { RequirementResult, RunResult } from '../result.ts';
import type { PageEvidence } from './pageData.ts';

/** What a card needs. */
export interface CauseContext {
  readonly evidence: PageEvidence;
  readonly rules: ReadonlyMap<string, RequirementResult>;
  /** What the run left behind, with who made it. */
  readonly effects: RunResult['sideEffects'];
  /** What the limit checks found. */
  readonly limits: RunResult['limits'];
  /** Since when a requirement fails, in words. */
  readonly since: Readonly<Record<string, string>>;
}
