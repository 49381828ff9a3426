import type { Finding } from '../../engine/finding.ts';
import type { RequirementResult } from '../result.ts';
import { stepsOf } from '../steps.ts';
import { shorten } from '../text/printable.ts';

const operation = /\b(?:GET|POST) \/([\w/-]+)/;

/**
 * The resource that a finding is about, such as `extPartner/api/webcheckin/status`: it takes the place of a file in formats that
 * require one, since the target's files are unknown.
 */
export function resourceOf(finding: Finding, rule: RequirementResult | undefined): string {
  const lines = [
    ...(rule?.source ?? []).map(({ section }) => section),
    ...stepsOf(finding)
      .map(({ line }) => line)
      .toReversed(),
  ];
  const found = lines.map((line) => operation.exec(line)?.[1]).find((path) => path !== undefined);
  return shorten(found ?? 'extPartner/api', 300);
}

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
