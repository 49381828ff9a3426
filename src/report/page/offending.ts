import type { Finding } from '../../engine/findings/finding.ts';
import { answerOf, answersDue } from '../member.ts';
import { caseNameOf } from '../caseName.ts';
import type { BodyLine } from './jsonView.ts';
import type { Contrast } from './pageData.ts';

/**
 * The member of the request that a finding is about, by what a similar request has otherwise; of several, the one that the rule
 * names, such as the origin.
 */
export function offendingMember(contrast: Contrast | undefined, rule = ''): string | null {
  if (contrast === undefined || contrast.more > 0) return null;
  const inBody = contrast.differences.filter(
    ({ member, here }) => here !== null && !/^(?:key|path|body|\?.*|header .*)$/.test(member),
  );
  if (contrast.differences.length > 3) return null;
  const words = new Set(rule.match(/\w+/g));
  const named = inBody.find(({ member }) => words.has(/\w+$/.exec(member)?.[0] ?? ''));
  return (named ?? inBody[0])?.member ?? null;
}

/** The member that a refusal names first, `pnr` of `HTTP 400 VALIDATION_ERROR (pnr is required.)`, if what was sent has it. */
export function refusedMember(finding: Finding, sent: string): string | null {
  const isDue = answersDue(finding).some(({ status }) => status === 200);
  const answer = answerOf(finding);
  if ((!isDue && finding.want?.kind !== 'accepted') || answer === null || answer.status < 400) return null;
  // These are words of the target.
  const named = /^([a-z][\w.[\]]{1,80}) (?:is|has|must)\b/.exec(answer.reason ?? '')?.[1];
  const last = named
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d*\]$/, '');
  return named !== undefined && sent.includes(`"${last ?? ''}"`) ? named : null;
}

/** The value that the case is about, if its name quotes one: `"1990-13-45"` of `date of birth "1990-13-45", subscribe`. */
export function valueOfCase(finding: Finding): string | null {
  return /"[^"]{3,100}"/.exec(caseNameOf(finding) ?? '')?.[0] ?? null;
}

/** The lines of a body with those marked that have the value, unless something is marked already. */
export function withQuoted(lines: readonly BodyLine[], value: string | null): readonly BodyLine[] {
  if (value === null || lines.some(({ marked }) => marked)) return lines;
  return lines.map((line) => ({ ...line, marked: line.text.includes(value) }));
}
