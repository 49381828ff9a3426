import type { Finding } from '../engine/findings/finding.ts';
import { shorten } from './text/printable.ts';

const longest = 160;
const longestName = 60;

/** What the failing case is about in a few words, such as `a stop whose airport has no timezone`; null if it has no name. */
export function caseNameOf({ counterexample }: Pick<Finding, 'counterexample'>): string | null {
  if (counterexample === null) return null;
  const named =
    /^\{"rule":"[^"]*","name":"([^"]+)"/.exec(counterexample.slice(0, 500))?.[1] ?? counterexample;
  return /^[[{]/.test(named) ? null : shorten(named, longest);
}

/** What tells a finding from the other ones of its rule: `multipart update, wci.auth.revoked d3e427b4`. */
export function findingName(finding: Pick<Finding, 'counterexample' | 'check' | 'fingerprint'>): string {
  const name = caseNameOf(finding);
  const own = finding.fingerprint.split('.').at(-1) ?? '';
  return `${name === null ? '' : `${shorten(name, longestName)}, `}${finding.check} ${own}`;
}
