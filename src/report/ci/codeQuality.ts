import type { RunResult } from '../result.ts';
import { findingState, type FindingState } from '../states.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { resourceOf } from './place.ts';

/** The findings as a GitLab code quality report, which merge requests show; without findings of the baseline. */
export function renderCodeQuality({ findings, requirements }: RunResult): string {
  const rows = new Map(requirements.map((row) => [row.id, row]));
  const seen = new Map<string, number>();
  const issues = findings
    .filter((finding) => findingState(finding) !== 'known')
    .map((finding) => {
      const row = rows.get(finding.requirement);
      const text = `${findingState(finding)} ${finding.requirement}: ${row?.title ?? finding.message} Expected ${finding.expected}; got ${finding.actual}.`;
      return {
        description: oneLine(shorten(text, 1000)).toWellFormed(),
        check_name: oneLine(shorten(finding.check, 200)).toWellFormed(),
        fingerprint: unique(finding.fingerprint, seen),
        severity: severities[findingState(finding)],
        location: { path: resourceOf(finding, row), lines: { begin: 1 } },
      };
    });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

const severities: Readonly<Record<FindingState, string>> = {
  fail: 'critical',
  inconclusive: 'info',
  warn: 'minor',
  known: 'info',
};

/** Several targets in one result may have the same finding. */
function unique(fingerprint: string, seen: Map<string, number>): string {
  const count = (seen.get(fingerprint) ?? 0) + 1;
  seen.set(fingerprint, count);
  return count === 1 ? fingerprint : `${fingerprint}.${count}`;
}
