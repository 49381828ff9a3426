import { causeByFingerprint, causesOf, type Cause } from '../../causes.ts';
import type { RunResult } from '../../result.ts';
import type { CauseContext } from '../causeContext.ts';
import type { PageEvidence } from '../pageData.ts';
import { read } from './dom.ts';

/** What the page contains as data: the result of the run, and its evidence. */
export const result = read('result') as RunResult;
export const evidence = read('evidence-data') as PageEvidence;

/** Why requirements failed, in the order of the page. */
export const causes: readonly Cause[] = causesOf(result);
export const causeOf = causeByFingerprint(causes);

export const rules = new Map(result.requirements.map((row) => [row.id, row]));

/** When each failure began, by its requirement. */
export const since = read('since') as CauseContext['since'];
