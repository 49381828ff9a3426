import type { Finding } from '../engine/findings/finding.ts';
import { isByParts, isCommon, isWronglyAccepted } from './causeTraits.ts';
import { answerOf } from './member.ts';

/** Rules that were seen broken by requests by multipart alone: their branch of the handler is to blame, not what it lets pass. */
export function rulesOfParts(findings: readonly Finding[]): ReadonlySet<string> {
  const others = new Set(findings.filter((one) => !isByParts(one)).map(({ requirement }) => requirement));
  return new Set(findings.flatMap(({ requirement }) => (others.has(requirement) ? [] : [requirement])));
}

/** What is let pass by multipart alone, where the same refusal is due, has one cause. */
export function partsTrait(finding: Finding, ofParts: ReadonlySet<string>): string[][] {
  const isLenient = isWronglyAccepted(finding) || finding.code === 'missing-info';
  const due = finding.want?.kind === 'answer' ? finding.want.status : invalid;
  return isLenient && ofParts.has(finding.requirement) ? [['lenient by parts', `${due}`]] : [];
}

const invalid = 400;

/** Rules that no check sees broken in two ways, and that no two refusals break. */
export function rulesBrokenAlike(findings: readonly Finding[]): ReadonlySet<string> {
  const ways = new Map<string, string>();
  const several = new Set<string>();
  const note = (requirement: string, place: string, way: string) => {
    const name = `${requirement} ${place}`;
    if ((ways.get(name) ?? way) !== way) several.add(requirement);
    ways.set(name, way);
  };
  for (const finding of findings) {
    const { requirement, check, code = '' } = finding;
    const status = answerOf(finding)?.status ?? 0;
    note(requirement, check, code);
    if (status >= 400) note(requirement, 'refused', `${status}`);
  }
  return new Set(findings.flatMap(({ requirement }) => (several.has(requirement) ? [] : [requirement])));
}

/** Rules that more than half of many answers break: they come before everything, and explain nothing that is seen later. */
export function rulesBrokenOften(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.filter(isCommon).map(({ requirement }) => requirement));
}
