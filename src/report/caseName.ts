import type { Finding } from '../engine/findings/finding.ts';
import { shorten } from './text/printable.ts';

const longest = 160;

/** What the failing case is about in a few words, such as `a stop whose airport has no timezone`; null if it has no name. */
export function caseNameOf({ counterexample }: Pick<Finding, 'counterexample'>): string | null {
  if (counterexample === null) return null;
  const named =
    /^\{"rule":"[^"]*","name":"([^"]+)"/.exec(counterexample.slice(0, 500))?.[1] ?? counterexample;
  return /^[[{]/.test(named) ? null : shorten(named, longest);
}
