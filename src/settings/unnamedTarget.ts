import type { Problem } from './problem.ts';
import { rowsOf, type GivenValues, type PlacedRow } from './row.ts';
import { settingsTable } from './table.ts';
import { namesTarget } from './target.ts';

/** How each source names a setting, in the order of the sources. */
const namesOf: readonly ((row: PlacedRow) => string | null | undefined)[] = [
  ({ flag }) => flag?.split(' ', 1)[0],
  ({ variable }) => variable,
  ({ field }) => field,
];

/**
 * Where no source names a target, the embedded reference is judged. That is a mistake where a setting is meant for another
 * deployment, and in CI, where nobody would notice it.
 */
export function unnamedTarget(sources: readonly GivenValues[], isInCi: boolean): readonly Problem[] {
  if (sources.some(namesTarget)) return [];
  const meant = namesOf.flatMap((nameOf, index) =>
    ofDeployment
      .filter(({ path }) => path in (sources[index] ?? {}))
      .map((row) => ({ path: row.path, name: nameOf(row) ?? row.path })),
  );
  if (meant.length === 0 && !isInCi) return [];
  const names = meant.map(({ name }) => name);
  const what = meant.every(({ path }) => isKey(path)) ? 'keys' : 'settings';
  const why =
    names.length > 0 ? `a target for these ${what} (${names.join(', ')})` : 'a target, since CI is set';
  const fault = `expected ${why}, got none; for the embedded reference say --target embedded (or GATECHECK_TARGET=embedded)`;
  return [{ where: '--target', fault }];
}

/** What only makes sense for a deployment of one's own. */
const others = ['stateHandler.url', 'stateHandler.auth', 'sink.publicUrl', 'image', 'baseline'];
const ofDeployment = rowsOf(settingsTable).filter(({ path }) => isKey(path) || others.includes(path));

function isKey(path: string): boolean {
  return path.startsWith('keys.');
}
