import type { ApiKey, CheckContext, KeyChoice } from '../checks.ts';

/** Keys of a new enterprise with this many quota units; for checks that need `state:enterprise.create`. */
export async function newEnterprise(t: CheckContext, units: number, keys = 1): Promise<readonly ApiKey[]> {
  const answer = await t.state.set('enterprise.create', { included_units: units, keys });
  const texts = textsIn(answer.keys);
  t.assume(texts.length === keys, 'the state handler gave no keys of a new enterprise');
  const adopted = t.adoptKeys(`new-${t.identities.token()}`, texts);
  const [key] = adopted;
  if (key) await lookAtUnits(t, key);
  return adopted;
}

/** What is left is known from then on, where the state handler tells it. */
export async function lookAtUnits(t: CheckContext, key: ApiKey): Promise<void> {
  if (t.state.offers('entitlement.get')) await t.state.set('entitlement.get', { key: key.value });
}

function textsIn(values: unknown): readonly string[] {
  const all = Array.isArray(values) ? (values as readonly unknown[]) : [];
  return all.filter((value) => typeof value === 'string');
}

/** An enterprise of our own, made by the state handler, with its keys. */
export async function freshEnterprise(
  t: CheckContext,
  wanted: { readonly units?: number; readonly keys?: number } = {},
): Promise<{ readonly key: ApiKey; readonly keys: readonly ApiKey[] }> {
  const keys = await newEnterprise(t, wanted.units ?? 10, wanted.keys);
  const [key] = keys;
  if (!key) throw new Error('unreachable: a fresh enterprise has a key');
  return { key, keys };
}

/** Keys that are issued to the enterprise of a key; none where the state handler issues none. */
export async function issuedTo(t: CheckContext, key: ApiKey, count: number): Promise<readonly ApiKey[]> {
  if (!t.state.offers('keys.issue')) return [];
  const answer = await t.state.set('keys.issue', { key: key.value, count });
  return t.adoptKeys(key.enterprise, textsIn(answer.keys));
}

/** A request with just this key. */
export function withKey(key: ApiKey): KeyChoice {
  return { kind: 'key', key };
}
