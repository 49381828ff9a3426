import { bodyLines } from '../page/jsonView.ts';
import { oneLine, shorten } from '../text/printable.ts';

/** A line in the comparison of two bodies. */
interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

const mostLines = 400;
const around = 2;
const width = 160;

/**
 * The differences between two bodies, line by line with some context; ids and times, which are new each time, count as equal.
 * Empty if nothing else differs.
 */
export function bodyDiff(then: string, now: string): readonly DiffLine[] {
  const [one, other] = [linesOf(then), linesOf(now)];
  const all = diff(one, other);
  const isChange = all.map(({ sign }) => sign !== ' ');
  const isShown = (index: number) =>
    isChange.slice(Math.max(0, index - around), index + around + 1).some((changed) => changed);
  return all.filter((_, index) => isShown(index));
}

function linesOf(text: string): readonly string[] {
  return bodyLines(shorten(text, 100_000), null)
    .slice(0, mostLines)
    .map((line) => oneLine(shorten(line.text, width)));
}

/** Values of six characters and more with a digit are ids, locators and times. */
function maskOf(line: string): string {
  return line.replace(/"[^"\s]*\d[^"\s]*"(?!:)|\b\d{5,}\b/g, (value) => (value.length < 6 ? value : '#'));
}

/** By the longest common subsequence. */
function diff(one: readonly string[], other: readonly string[]): readonly DiffLine[] {
  const [left, right] = [one.map(maskOf), other.map(maskOf)];
  const common = lengths(left, right);
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  while (a < one.length || b < other.length) {
    if (a < one.length && b < other.length && left[a] === right[b]) {
      lines.push({ sign: ' ', text: other[b] ?? '' });
      a += 1;
      b += 1;
    } else if (b >= other.length || (a < one.length && at(common, a + 1, b) >= at(common, a, b + 1))) {
      lines.push({ sign: '-', text: one[a] ?? '' });
      a += 1;
    } else {
      lines.push({ sign: '+', text: other[b] ?? '' });
      b += 1;
    }
  }
  return lines;
}

function at(table: readonly (readonly number[])[], a: number, b: number): number {
  return table[a]?.[b] ?? 0;
}

/** Lengths of the longest common subsequence of what follows each pair of positions. */
function lengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let a = left.length - 1; a >= 0; a -= 1)
    for (let b = right.length - 1; b >= 0; b -= 1) {
      const row = table[a] ?? [];
      row[b] =
        left[a] === right[b]
          ? at(table, a + 1, b + 1) + 1
          : Math.max(at(table, a + 1, b), at(table, a, b + 1));
    }
  return table;
}
