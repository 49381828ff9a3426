import type { ApiKey, CheckContext } from '../checks.ts';
import { newEnterprise } from './enterprises.ts';

/** An enterprise that nobody else uses, made by the state handler, with its keys. */
export async function freshEnterprise(
  t: CheckContext,
  wanted: { readonly units?: number; readonly keys?: number } = {},
): Promise<{ readonly key: ApiKey; readonly keys: readonly ApiKey[] }> {
  const keys = await newEnterprise(t, wanted.units ?? 10, wanted.keys);
  const [key] = keys;
  if (!key) throw new Error('unreachable: a fresh enterprise has a key');
  return { key, keys };
}
