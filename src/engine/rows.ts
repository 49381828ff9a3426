import { deriveSeed } from '../core/random.ts';

/** A row of a table, with the rule that it is about: rows of the same rule show much the same. */
interface Row {
  readonly rule: string;
}

/** The rows of a check: one list, or several by name. */
export type Rows = readonly Row[] | Readonly<Record<string, readonly Row[]>>;

/** One row for each rule in each list; a different one in another run. */
export function sampleRows<R extends Rows>(rows: R, seed: number): R {
  return mapLists(rows, (list) => sampleOfList(list, seed));
}

/** Number of rows in all lists. */
export function countRows(rows: Rows): number {
  let count = 0;
  mapLists(rows, (list) => ((count += list.length), list));
  return count;
}

/** The rules of some rows, each once. */
export function rulesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ rule }) => rule))];
}

function sampleOfList(rows: readonly Row[], seed: number): readonly Row[] {
  return rulesOf(rows).flatMap((rule) => {
    const same = rows.filter((row) => row.rule === rule);
    const row = same[deriveSeed(seed, rule) % same.length];
    return row === undefined ? [] : [row];
  });
}

function mapLists<R extends Rows>(rows: R, change: (list: readonly Row[]) => readonly Row[]): R {
  if (Array.isArray(rows)) return change(rows as readonly Row[]) as R;
  const lists = Object.entries(rows as Readonly<Record<string, readonly Row[]>>);
  return Object.fromEntries(lists.map(([name, list]) => [name, change(list)])) as R;
}
