import type { Finding } from '../engine/findings/finding.ts';
import { isPassive } from './causeTraits.ts';

/** How often a finding showed: `Confirmed: 2 of 2 tries`, `Seen in 6 of 92 callbacks`. */
export function seenText(finding: Finding): string {
  const { confirmed } = finding;
  if (!isPassive(finding)) return `Confirmed: ${confirmed} tries`;
  return `Seen in ${confirmed} ${isOfCallback(finding) ? 'callbacks' : 'answers'}`;
}

function isOfCallback({ decisive, exchanges }: Finding): boolean {
  return (decisive ?? exchanges.at(-1) ?? '').startsWith('c');
}
