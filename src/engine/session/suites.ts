import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { EngineCheck, Suite } from '../suite.ts';

/** The folder of the suites: next to the source, or to its compiled form. */
export const suitesFolder = join(import.meta.dirname, '..', '..', '..', 'suites');

/** The files of all suites, absolute, in reading order: shared, web check-in, flight alerts. */
export async function suiteFiles(): Promise<readonly string[]> {
  const names = await readdir(suitesFolder, { recursive: true });
  const suites = names
    .filter((name) => /\.suite\.[jt]s$/.test(name))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return suites.map((name) => join(suitesFolder, name));
}

/** A suite and its file. */
export interface SuiteFile extends Suite {
  readonly file: string;
}

/** The suites that contain at least one of these checks. */
export async function suitesOf(ids: ReadonlySet<string>): Promise<readonly SuiteFile[]> {
  const suites = await everySuite();
  return suites.filter(({ checks }) => checks.some(({ id }) => ids.has(id)));
}

/** Reads all suites as data, and ensures that ids are unique and that every check names existing rows. */
export async function readSuites(): Promise<readonly EngineCheck[]> {
  const checks = (await everySuite()).flatMap((suite) => suite.checks);
  validate(checks);
  return checks;
}

async function everySuite(): Promise<readonly SuiteFile[]> {
  return Promise.all(
    (await suiteFiles()).map(async (file) => {
      const module = (await import(pathToFileURL(file).href)) as { readonly default: Suite };
      return { ...module.default, file };
    }),
  );
}

function validate(checks: readonly EngineCheck[]): void {
  const catalogue = loadCatalogue();
  const seen = new Set<string>();
  for (const { id, verifies } of checks) {
    if (seen.has(id)) throw new Error(`two checks have the id ${id}`);
    seen.add(id);
    const stray = verifies.find((row) => !catalogue.has(row));
    if (stray !== undefined)
      throw new Error(`the check ${id} verifies ${stray}, which is not in the catalogue`);
  }
}

const order = ['shared', 'webcheckin', 'flight-alerts'];

function rank(name: string): number {
  return order.findIndex((folder) => name.startsWith(folder));
}
