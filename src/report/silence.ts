import type { Finding } from '../engine/finding.ts';

/** Whether a callback that was due did not come at all. */
export function isSilent({ requirement, actual }: Pick<Finding, 'requirement' | 'actual'>): boolean {
  return /^(?:WCI|FLA)-CB-/.test(requirement) && /^(?:none|no callback)$/.test(actual);
}
