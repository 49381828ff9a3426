import type { RunResult } from '../result.ts';
import { standingOf } from '../standing.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { resourceOf } from './place.ts';

/** The findings as a GitLab code quality report, which merge requests show; without findings of the baseline. */
export function renderCodeQuality({ findings, requirements }: RunResult): string {
  const rows = new Map(requirements.map((row) => [row.id, row]));
  const seen = new Map<string, number>();
  const issues = findings
    .filter((finding) => standingOf(finding) !== 'known')
    .map((finding) => {
      const row = rows.get(finding.requirement);
      const text = `${finding.requirement}: ${row?.title ?? finding.message} Expected ${finding.expected}; got ${finding.actual}.`;
      return {
        description: oneLine(shorten(text, 1000)).toWellFormed(),
        check_name: oneLine(shorten(finding.check, 200)).toWellFormed(),
        fingerprint: unique(finding.fingerprint, seen),
        severity: standingOf(finding) === 'warn' ? 'minor' : 'critical',
        location: { path: resourceOf(finding, row), lines: { begin: 1 } },
      };
    });
  return `${JSON.stringify(issues, null, 2)}\n`;
}

/** Several targets in one result may have the same finding. */
function unique(fingerprint: string, seen: Map<string, number>): string {
  const count = (seen.get(fingerprint) ?? 0) + 1;
  seen.set(fingerprint, count);
  return count === 1 ? fingerprint : `${fingerprint}.${count}`;
}
