import { suggest } from './suggest.ts';

/** Most names that a message lists. */
const most = 15;

/**
 * Refuses options that do not exist: JavaScript would ignore them, and a test that relies on one would pass.
 * @throws TypeError that names them, the closest ones that exist, and all that do.
 */
export function checkOptions<T extends object>(
  where: string,
  given: T,
  known: Readonly<Record<keyof T, true>>,
): void {
  if (typeof given !== 'object' || (given as object | null) === null)
    throw new TypeError(`${where} expects an object of options.`);
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const each = unknown.slice(0, most).map((name) => `'${name.slice(0, 60)}'${suggest(name, names)}`);
  const all = names.length > most ? '' : ` It has: ${names.join(', ')}.`;
  throw new TypeError(`${where} has no option ${each.join(', ')}.${all}`);
}
