import type { Finding } from '../engine/findings/finding.ts';
import { isDeliveredToWrongAddress, isSaidOtherwise } from './causeTraits.ts';
import { answerOf, jsonOf, nameOfMember } from './member.ts';
import { isSilent } from './silence.ts';

/** A kind of finding that explains another kind. */
interface Explanation {
  readonly name: string;
  readonly explains: (finding: Finding) => boolean;
  readonly isExplained: (finding: Finding) => boolean;
}

/** Each applies if findings of both kinds are present. */
const explanations: readonly Explanation[] = [
  {
    name: 'astray',
    explains: isDeliveredToWrongAddress,
    // A record without an address of its own got a callback at that of another one.
    isExplained: (finding) =>
      (finding.requirement.startsWith('WCI-') && isSilent(finding)) || finding.requirement === 'WCI-CB-014',
  },
  // A change that no callback reported was reported with other values.
  {
    name: 'values of webhooks',
    explains: (finding) =>
      ['WCI-CB-011', 'WCI-CB-013', 'WCI-CB-020'].includes(finding.requirement) && !isSilent(finding),
    isExplained: isSaidOtherwise,
  },
  // What is no array shows no legs.
  {
    name: 'no array',
    explains: ({ requirement, code }) => requirement === 'FLA-GET-002' && code === 'shape',
    isExplained: ({ got, alsoBreaks = [] }) => got?.kind === 'absent' && alsoBreaks.includes('FLA-GET-002'),
  },
  // Zeros that are not removed are counted as digits as well.
  {
    name: 'zeros of flight numbers',
    explains: (finding) => finding.requirement === 'FLA-GET-013' && answerOf(finding)?.status === 404,
    isExplained: (finding) => finding.requirement === 'FLA-GET-015' && answerOf(finding)?.status === 400,
  },
  // A callback that a later subscribe drops is registered anew by the next one, with another key.
  {
    name: 'dropped callback',
    explains: ({ requirement }) => requirement === 'FLA-SUB-012',
    isExplained: ({ requirement }) => requirement === 'FLA-CB-019',
  },
  {
    name: 'empty retries',
    explains: ({ requirement, code }) => requirement === 'FLA-CB-020' && code === 'empty',
    isExplained: ({ requirement, code }) => requirement === 'FLA-CB-008' && code === 'polled',
  },
  // The callback has the passes that status leaves out.
  {
    name: 'passes of status',
    explains: ({ requirement, code }) => requirement === 'WCI-STS-011' && isOfPasses(code),
    isExplained: ({ requirement, code }) => requirement === 'WCI-CB-020' && isOfPasses(code),
  },
  // If the other identifier decides, a foreign checkin_id beside an own booking_id reaches the booking.
  {
    name: 'precedence of identifiers',
    explains: ({ requirement }) => requirement === 'WCI-UPD-005',
    isExplained: ({ requirement, code }) => requirement === 'WCI-SCP-011' || isOtherRecord(requirement, code),
  },
  // What is neither added by an update nor taken away is not computed anew.
  {
    name: 'missing_info after updates',
    explains: (finding) => isMissingAfterUpdate(finding.requirement) && isNothingMissing(finding),
    isExplained: (finding) =>
      finding.code === 'missing-info' &&
      (finding.requirement === 'WCI-UPD-026' || finding.requirement === 'WCI-RDY-018') &&
      !isNothingMissing(finding),
  },
  // A limiter of another kind admits too many sooner or later.
  {
    name: 'kind of limiter',
    explains: ({ code, check }) => code === 'limiter' && check === 'shared.limits.minute',
    isExplained: ({ code }) => code === 'too-many',
  },
  // If one kind of request is not counted, the decisions fit no limiter.
  {
    name: 'limiter',
    explains: ({ requirement }) => requirement === 'SHR-LIM-029',
    isExplained: ({ requirement, got }) =>
      requirement.startsWith('SHR-LIM-') && got?.kind === 'count' && got.model === null,
  },
];

function isOtherRecord(requirement: string, code = ''): boolean {
  return requirement === 'WCI-UPD-006' && code === 'answer';
}

function isOfPasses(code = ''): boolean {
  return code.endsWith('passes');
}

function isNothingMissing(finding: Finding): boolean {
  const json = jsonOf(finding.got);
  return nameOfMember(finding) === 'missing_info' && Array.isArray(json) && json.length === 0;
}

function isMissingAfterUpdate(requirement: string): boolean {
  return ['WCI-UPD-010', 'WCI-UPD-021', 'WCI-UPD-027'].includes(requirement);
}

/** Names of the explanations that apply to these findings. */
export function explanationsAmong(findings: readonly Finding[]): ReadonlySet<string> {
  const there = explanations.filter(
    ({ explains, isExplained }) => findings.some(explains) && findings.some(isExplained),
  );
  return new Set(there.map(({ name }) => name));
}

/** Traits that connect findings with those that explain them. */
export function explanationTraits(finding: Finding, there: ReadonlySet<string>): string[][] {
  return explanations
    .filter(
      ({ name, explains, isExplained }) => there.has(name) && (explains(finding) || isExplained(finding)),
    )
    .map(({ name }) => [name]);
}
