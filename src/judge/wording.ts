import type { Violated } from './judgement.ts';

/** The message of a finding: the rule in words, what was expected and what came. */
export function wordFinding(title: string, { expected, actual }: Violated): string {
  return `${title} Expected ${expected}; got ${actual}.`;
}
