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
