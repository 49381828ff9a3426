import type { SharedPolicy } from './policy.ts';
import { invalid } from './refusal.ts';

/** Refuses names that an operation does not know, where the policy is to refuse them. */
export function refuseUnknown(names: Iterable<string>, known: readonly string[], policy: SharedPolicy): void {
  if (policy.unknownMembers === 'ignored') return;
  for (const name of names) {
    if (!known.includes(name)) throw invalid(`${name} is not known here.`);
  }
}
