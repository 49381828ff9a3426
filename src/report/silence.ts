import type { Finding } from '../engine/findings/finding.ts';

/** Whether a callback that was due did not come at all. */
export function isSilent({ requirement, at, got }: Pick<Finding, 'requirement' | 'at' | 'got'>): boolean {
  return /^(?:WCI|FLA)-CB-/.test(requirement) && at === 'callback' && got?.kind === 'absent';
}
