import type { Finding } from '../engine/findings/finding.ts';
import { isPassive } from './causeTraits.ts';

/** Some rules stop counting their breaches here, to keep their memory small. */
const mostCounted = 500;

/** How often a finding showed: `Confirmed: 2 of 2 tries`, `Seen in 6 of 92 callbacks`. */
export function seenText(finding: Finding): string {
  const { confirmed } = finding;
  if (!isPassive(finding)) return `Confirmed: ${confirmed} tries`;
  return `Seen in ${countText(confirmed)} ${isOfCallback(finding) ? 'callbacks' : 'answers'}`;
}

/** `2 of 2`; of a count that ended early, `500 or more of 579`. */
export function countText(confirmed: string): string {
  const [count, samples] = confirmed.split(' of ').map(Number);
  return count === mostCounted && (samples ?? 0) > mostCounted
    ? `${mostCounted} or more of ${samples ?? 0}`
    : confirmed;
}

function isOfCallback({ decisive, exchanges }: Finding): boolean {
  return (decisive ?? exchanges.at(-1) ?? '').startsWith('c');
}
