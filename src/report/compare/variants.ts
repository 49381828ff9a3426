import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';

/**
 * The variants in what was observed of an open point, without their measurements: `retries (after 1 s, 4 s)` is the class
 * `retries`, however long the pauses of this run were.
 */
export function variantsOf(observed: string): readonly string[] {
  let outside = observed.slice(0, longest);
  // Removes the innermost parentheses first, as long as there are any.
  for (let before = ''; before !== outside;)
    [before, outside] = [outside, outside.replace(/\([^()]*\)/g, '')];
  const names = outside.split(',');
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))].sort();
}

/** No deployment needs more words; a result file may come from anywhere. */
const longest = 2000;

/**
 * Whether runs saw the same answers to an open point. The variant that only means that no other was met does not contradict
 * those that were: of two runs of a server, one may have looked at the right moment, or made the request that shows it.
 */
export function isAnsweredAlike(id: string, observed: readonly string[]): boolean {
  const unmet = unmetOf(id);
  const answers = observed
    .map((text) => variantsOf(text).filter((name) => name !== unmet))
    .filter((names) => names.length > 0);
  return new Set(answers.map((names) => names.join())).size <= 1;
}

function unmetOf(id: string): string | null {
  const { has, get } = loadCatalogue();
  const row = has(id) ? get(id) : null;
  return row?.level === 'open' ? row.unmet : null;
}
