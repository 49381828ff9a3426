import type { Violated } from './judgement.ts';

/** The message of a finding: the rule in words, what was expected and what came. */
export function wordFinding(title: string, { expected, actual }: Violated): string {
  return `${sentence(title)} Expected ${clip(expected)}; got ${clip(actual)}.`;
}

function sentence(title: string): string {
  const text = title.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** One line, since messages appear in tables and on consoles; the evidence has the whole value. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
