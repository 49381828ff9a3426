import type { Environment } from '../core/io.ts';

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
