import type { Environment } from '../core/io.ts';
import { closest } from '../core/suggest.ts';
import type { Problem } from './problem.ts';
import type { PlacedRow } from './row.ts';

/** A variable's trimmed value; undefined if it is unset or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Whether a variable is set to nothing. */
export function isEmpty(env: Environment, name: string): boolean {
  return env[name] !== undefined && valueOf(env, name) === undefined;
}

/** Whether nobody watches, and nobody would notice a mistake: in a job of CI. */
export function isInCi(env: Environment): boolean {
  return valueOf(env, 'CI') !== undefined;
}

const prefix = 'GATECHECK_';

/** The variables that set rows. */
export function variablesOf(rows: readonly PlacedRow[]): readonly string[] {
  return rows.flatMap(({ variable }) => variable ?? []);
}

/** Variables that are set and look as if meant for Gatecheck, but do not exist. */
export function strayVariables(env: Environment, known: readonly string[]): readonly string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !known.includes(name) && valueOf(env, name) !== undefined,
  );
}

/** Finds the variable that a name was probably meant to be: KEY instead of KEYS would silently leave checks without their key. */
export function misspellingOf(known: readonly string[]): (name: string) => readonly Problem[] {
  return (name) => {
    const words = known.map((one) => one.slice(prefix.length));
    const meant = closest(name.slice(prefix.length), words, ({ length }) => (length > 4 ? 2 : 1));
    return meant === null
      ? []
      : [{ where: name, fault: `no such variable (did you mean '${prefix}${meant}'?)` }];
  };
}

/** The message about variables that do not exist. */
export function renderStray(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const are = names.length === 1 ? 'no such variable, it has' : 'no such variables, they have';
  return `${names.slice(0, 5).join(', ')}${more}: ${are} no effect`;
}

/** The message about secrets whose variables are set but empty. */
export function renderEmptied(names: readonly string[]): string {
  const they = names.length === 1 ? 'it counts' : 'they count';
  return `${names.join(', ')}: set but empty, so ${they} as not given`;
}
