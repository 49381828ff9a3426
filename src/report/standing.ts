import type { Finding } from '../engine/finding.ts';

/** How a finding counts: as a failure, as a warning, or as listed in the baseline. */
type Standing = 'fail' | 'warn' | 'known';

/** How a finding counts. */
export function standingOf({ baselined, severity }: Pick<Finding, 'baselined' | 'severity'>): Standing {
  if (baselined) return 'known';
  return severity === 'warn' ? 'warn' : 'fail';
}
