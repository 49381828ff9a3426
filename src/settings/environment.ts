import type { Environment } from '../core/io.ts';

/** A variable's value without blanks around it; undefined where it is unset or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
