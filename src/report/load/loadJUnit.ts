import { measuredText } from './loadText.ts';
import { escapeAttribute } from '../text/xml.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';

/** The thresholds of a load as a suite: a case each, failed if it is not met. Empty if there are none. */
export function renderLoadSuite({ thresholds, elapsedMs }: LoadSummary, startedAt: string): string[] {
  if (thresholds.length === 0) return [];
  const failures = thresholds.filter(({ met }) => !met).length;
  return [
    `  <testsuite name="load thresholds" tests="${thresholds.length}" failures="${failures}" errors="0" skipped="0" time="${(elapsedMs / 1000).toFixed(3)}" timestamp="${startedAt.replace(/Z$/, '')}">`,
    ...thresholds.flatMap(({ threshold, met, actual, samples }) => {
      const open = `    <testcase classname="load" name="${escapeAttribute(threshold)}" time="0"`;
      const got = `${measuredText({ actual })}, of ${samples} samples`;
      return met
        ? [`${open}/>`]
        : [`${open}>`, `      <failure message="${escapeAttribute(got)}"/>`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}
