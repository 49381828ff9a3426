import { type CheckContext, deriveSeed } from '../checks.ts';

/** A row of a table, with the rule that it is about. */
interface Row {
  readonly rule: string;
}

/** With a single case one row of each rule, another one in another run; all rows otherwise. */
export function sampled<T extends Row>(
  t: Pick<CheckContext, 'cases' | 'settings'>,
  rows: readonly T[],
): readonly T[] {
  if (t.cases !== 1) return rows;
  return rulesOf(rows).flatMap((rule) => {
    const same = rows.filter((row) => row.rule === rule);
    const row = same[deriveSeed(t.settings.seed, rule) % same.length];
    return row === undefined ? [] : [row];
  });
}

/** The rules of a table, each once: as many as a sample has rows. */
export function rulesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.map(({ rule }) => rule))];
}
