import type { Environment } from '../core/io.ts';

/** A variable's trimmed value; undefined if it is unset or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
