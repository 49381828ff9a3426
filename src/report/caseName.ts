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

/** The cases that show the broken rule of a cause, its own first: `multipart update; also update`; null if none has a name. */
export function casesText(
  lead: Pick<Finding, 'counterexample' | 'requirement'>,
  others: readonly Pick<Finding, 'counterexample' | 'requirement'>[],
): string | null {
  const own = caseNameOf(lead);
  const names = others.flatMap((one) =>
    one.requirement === lead.requirement ? (caseNameOf(one) ?? []) : [],
  );
  const more = [...new Set(names)].filter((name) => name !== own);
  if (own === null) return null;
  const rest = more.length - mostCases;
  const shown = [...more.slice(0, mostCases), ...(rest > 0 ? [`${rest} more`] : [])];
  return more.length === 0 ? own : `${own}; also ${shown.join(', ')}`;
}

const mostCases = 5;

/** What tells a finding from the other ones of its rule: `multipart update, wci.auth.revoked d3e427b4`. */
export function findingName(finding: Pick<Finding, 'counterexample' | 'check' | 'fingerprint'>): string {
  const name = caseNameOf(finding);
  const own = finding.fingerprint.split('.').at(-1) ?? '';
  return `${name === null ? '' : `${shorten(name, longestName)}, `}${finding.check} ${own}`;
}
