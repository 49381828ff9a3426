import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type KeyChoice,
  noKey,
  responseOf,
} from '../checks.ts';
import { withKey } from './enterprises.ts';
import { anyRead } from './reads.ts';

export { withKey };

/** The first key of the primary enterprise; there always is one. */
export function primary(t: CheckContext): ApiKey {
  const [key] = t.keys.given;
  if (!key) throw new Error('a run without a primary key');
  return key;
}

/** A key to derive near misses from: one that was issued for the run if there is one, so that no user's key is nearly shown. */
export function spare(t: CheckContext): ApiKey {
  return t.keys.primary.find(({ label }) => label.startsWith('issued')) ?? primary(t);
}

/** The key that an exchange carried, so that requests about a record use its maker's key; while it is full, another of its enterprise. */
export function sameKey(t: CheckContext, { key, enterprise }: Exchange): KeyChoice {
  const known = t.keys.named(key);
  const role = enterprise === 'other' ? 'other' : 'primary';
  return known ? { kind: 'key', key: known, otherwise: role } : { kind: 'pool', enterprise: role };
}

/** A value that is not a key. */
export function invented(label: string, value: string): KeyChoice {
  return { kind: 'invented', label, value };
}

export const emptyKey = invented('empty', '');

/** A long random value, which no deployment has issued. */
export function unknownKey(t: CheckContext): KeyChoice {
  return invented('unknown', [1, 2, 3].map(() => t.identities.token()).join(''));
}

/** Two other characters of the same kind, so that a value keeps its alphabet. */
export function others(character: string): readonly [string, string] {
  const pool = ['97654', 'kvbcd', 'KVBCD'].find((_, index) => classes[index]?.test(character)) ?? '-_.';
  const [first = '', second = ''] = pool.replace(character, '');
  return [first, second];
}

const classes = [/[0-9]/, /[a-z]/, /[A-Z]/];

export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** An operation that needs no key cannot show whether a key elsewhere would open it. */
export async function assumeClosed(t: CheckContext): Promise<void> {
  const bare = await t.send(anyRead(t, { key: noKey }));
  t.assume(responseOf(bare)?.status === 401, 'the operation is served without any key');
}

/** Pauses between attempts, in milliseconds: how soon a revocation takes effect is not stated. */
const graces = [0, 1000, 4000, 10_000, 15_000, 30_000];
/** To confirm what a case showed after a minute, fifteen seconds do. */
const gracesOfRepeat = graces.slice(0, 4);

/** Sends a request until it is refused with 401, for a minute at most. */
export async function untilRefused(
  t: CheckContext,
  request: ApiRequest,
): Promise<{ readonly last: Exchange; readonly tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const last = await t.send(request);
    const pause = (t.isRepeat ? gracesOfRepeat : graces)[tries];
    if (responseOf(last)?.status === 401 || pause === undefined) return { last, tries };
    await t.sleep(pause);
  }
}
