import type { CheckContext } from '../../src/engine/context.ts';
import type { ApiKey } from '../../src/send/keyRing.ts';

/** An enterprise that nobody else uses, made by the state handler, with its keys. */
export async function freshEnterprise(
  t: CheckContext,
  wanted: { readonly units?: number; readonly keys?: number } = {},
): Promise<{ readonly key: ApiKey; readonly keys: readonly ApiKey[] }> {
  const { units = 10, keys: count = 1 } = wanted;
  const answer = await t.state.set('enterprise.create', { included_units: units, keys: count });
  const values = Array.isArray(answer.keys) ? (answer.keys as readonly unknown[]) : [];
  const keys = t.adoptKeys(
    `fresh-${t.identities.token()}`,
    values.filter((value) => typeof value === 'string'),
  );
  const [key] = keys;
  t.assume(keys.length === count, `the state handler gave ${keys.length} keys where ${count} were asked for`);
  if (!key) throw new Error('unreachable: a fresh enterprise has a key');
  return { key, keys };
}
