import type { Finding } from '../engine/findings/finding.ts';
import { isDeliveredToWrongAddress, isPassive, isSaidOtherwise } from './causeTraits.ts';
import { findingState, findingStates } from './states.ts';

const levels = ['must', 'should', 'may', 'open'] as const;

/** Rank by state, then level: a failing must has 0. */
export function rankOf(finding: Finding): number {
  return (
    findingStates.indexOf(findingState(finding)) * levels.length + levels.indexOf(finding.level ?? 'must')
  );
}

/** How much there is to read. A callback alone does not show what it was registered with. */
export function stepsIn(finding: Finding): number {
  // What an ordinary body shows as well is easier to read there.
  const isMultipart = finding.requirement.startsWith('WCI-MP-');
  const isCallbackAlone = isPassive(finding) && /^c\d/.test(finding.exchanges.at(-1) ?? '');
  // Where callbacks went instead explains why none came.
  const explains = isDeliveredToWrongAddress(finding) ? 100 : isSaidOtherwise(finding) ? -10 : 0;
  // What let the record in is read before its consequences.
  const isAfterwards = finding.follows !== undefined;
  return (
    finding.exchanges.length +
    (isCallbackAlone ? 5 : 0) +
    (isMultipart ? 5 : 0) +
    (isAfterwards ? 5 : 0) -
    explains
  );
}
