/** ` (did you mean 'x'?)` for the closest of the known words, or nothing where none is close. */
export function suggest(word: string, known: Iterable<string>): string {
  const best = closest(word, known);
  return best === null ? '' : ` (did you mean '${best}'?)`;
}

/** The known word that takes the fewest edits, null where that would be more than `most`: by default a third of it. */
export function closest(
  word: string,
  known: Iterable<string>,
  most = (name: string) => Math.ceil(name.length / 3),
): string | null {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= most(name) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance };
    }
  }
  return best?.name ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours from one word to the other. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[line - 1] === to[column - 1];
      const swapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      const swap = swapped ? at(before, column - 2) + 1 : Infinity;
      const replace = at(row, column - 1) + (same ? 0 : 1);
      next.push(Math.min(replace, swap, at(row, column) + 1, at(next, column - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
