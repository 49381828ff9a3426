/** ` (did you mean 'x'?)` for the closest known word, or for a few that start with it or contain its parts; empty if none is close. */
export function suggest(word: string, known: Iterable<string>): string {
  const meant = meantBy(word, [...known]);
  return meant.length === 0 ? '' : ` (did you mean ${meant.map((name) => `'${name}'`).join(' or ')}?)`;
}

/** Shorter words occur in too many others. */
const leastPart = 3;
const mostNames = 3;

function meantBy(word: string, known: readonly string[]): readonly string[] {
  const whole = word.toLowerCase();
  const parts = whole.split(/[^a-z0-9]+/).filter((part) => part !== '');
  const tells = parts.some((part) => part.length >= leastPart);
  const begin = tells ? shortest(known.filter((name) => name.toLowerCase().startsWith(whole))) : [];
  if (begin.length > 1) return begin;
  const best = closest(word, known);
  if (best !== null) return [best];
  if (begin.length > 0 || !tells) return begin;
  return shortest(known.filter((name) => parts.every((part) => name.toLowerCase().includes(part))));
}

function shortest(names: readonly string[]): readonly string[] {
  return names.toSorted((a, b) => a.length - b.length).slice(0, mostNames);
}

/** The known word that takes the fewest edits; null if it takes more than `most`, by default a third of the word's length. */
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

/** Number of insertions, deletions, replacements and swaps of neighbours between two words. */
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
