import type { Finding } from '../../engine/findings/finding.ts';
import type { RequirementResult } from '../result.ts';
import { shorten } from '../text/printable.ts';

/** What was expected, what came, and how to reproduce it. */
export function storyOf(finding: Finding, rule: RequirementResult | undefined): string {
  return [
    rule?.title ?? finding.message,
    `Expected ${finding.expected}.`,
    `Got ${finding.actual}.`,
    `Reproduce: ${finding.reproduce.command}`,
  ]
    .map((line) => shorten(line, 1000))
    .join('\n');
}
