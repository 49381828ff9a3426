import { callbackRows } from './rows/callbacks.ts';
import { demandRows } from './rows/demands.ts';
import { extentRows } from './rows/extent.ts';
import { httpRows } from './rows/http.ts';
import { keyRows } from './rows/keys.ts';
import { knownRows } from './rows/known.ts';
import { reportRows } from './rows/reports.ts';
import { targetRows } from './rows/target.ts';

/**
 * Every setting of a run, a row each, in the order in which they are explained: help, config file, its JSON Schema, the template
 * of `init` and the page of the docs are made of this table.
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
