import { callbackRows } from './rows/callbacks.ts';
import { demandRows } from './rows/demands.ts';
import { extentRows } from './rows/extent.ts';
import { httpRows } from './rows/http.ts';
import { keyRows } from './rows/keys.ts';
import { knownRows } from './rows/known.ts';
import { reportRows } from './rows/reports.ts';
import { targetRows } from './rows/target.ts';

/**
 * Every setting of a run, one row each, in the order in which they are explained: help, config file, JSON Schema, the template
 * of `init` and the docs page are derived from this table.
 */
export const settingsTable = {
  ...targetRows,
  ...extentRows,
  ...demandRows,
  ...callbackRows,
  ...reportRows,
  ...keyRows,
  ...knownRows,
  ...httpRows,
};

/** The headings of help, with what their options are in the docs. */
const headings = [
  ['Target', 'environments.md', targetRows],
  ['Budget and extent', 'settings.md', extentRows],
  ['CI', 'pipelines.md', demandRows],
  ['State handler and callbacks', 'callbacks.md', callbackRows],
  ['Reports and baseline', 'reports.md', reportRows],
] as const;

/** The heading of help for a setting, such as `Target (docs/environments.md):`; null for an option of one command. */
export function headingOf(path: string): string | null {
  const [top = ''] = path.split('.');
  const found = headings.find(([, , rows]) => top in rows);
  return found === undefined ? null : `${found[0]} (docs/${found[1]}):`;
}
