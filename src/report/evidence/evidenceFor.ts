import { join } from 'node:path';
import type { ShownEvidence } from '../page/pageData.ts';
import { reportFiles } from '../reportDir.ts';
import type { RunResult } from '../result.ts';
import { collectEvidence } from './collectEvidence.ts';

/** What was on the wire for the findings of a result, from its report directory; empty without evidence. */
export async function evidenceFor(result: RunResult, reportDir: string): Promise<ShownEvidence> {
  const nothing = { lines: {}, states: [] };
  if (result.findings.length === 0) return nothing;
  return collectEvidence(join(reportDir, reportFiles.evidence), result, { perPage: 0 }).catch(() => nothing);
}
