/**
 * The variants in what was observed of an open point, without what was measured of them: `retries (after 1 s, 4 s)` is
 * the class `retries`, however long the pauses of this run were.
 */
export function variantsOf(observed: string): readonly string[] {
  let outside = observed.slice(0, longest);
  // Innermost parentheses first, as often as there may be some within others.
  for (let before = ''; before !== outside;)
    [before, outside] = [outside, outside.replace(/\([^()]*\)/g, '')];
  const names = outside.split(',');
  return [...new Set(names.map((name) => name.trim()).filter(Boolean))].sort();
}

/** No deployment needs more words; a result file may come from anywhere. */
const longest = 2000;
