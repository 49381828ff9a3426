import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type KeyChoice,
  minuteMs,
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

/** What became of a key that is to be refused. */
export interface Refusals {
  /** The first 401, else the last answer. */
  readonly last: Exchange;
  /** Seconds from the first request to the last one that was let in; 0 if none was. */
  readonly letInS: number;
}

/** Sends a request until it is refused with 401, for a minute at most since the key was revoked. */
export async function untilRefused(
  t: CheckContext,
  request: ApiRequest,
  start = t.monotonic(),
): Promise<Refusals> {
  let letInS = 0;
  for (let tries = 1; ; tries += 1) {
    const last = await t.send(request);
    const pause = t.monotonic() - start < minuteMs ? graces[tries] : undefined;
    const isRefused = responseOf(last)?.status === 401;
    if (!isRefused) letInS = secondsSince(start, last);
    if (isRefused || pause === undefined) return { last, letInS };
    await t.sleep(pause);
  }
}

/** How often a key that was refused is tried again, over a connection each: of several nodes, one may still know it. */
const looks = 6;

/**
 * The same, and then looks again. One node may learn of it later than another, and how soon is open, so that a key
 * that is let in again has a minute in all.
 */
export async function untilRefusedEverywhere(
  t: CheckContext,
  requests: readonly ApiRequest[],
): Promise<Refusals & { readonly again: readonly Exchange[] }> {
  const [first] = requests;
  if (!first) throw new Error('no request to send');
  const start = t.monotonic();
  const refused = await untilRefused(t, first);
  if (responseOf(refused.last)?.status !== 401) return { ...refused, again: [] };
  let { letInS } = refused;
  const again: Exchange[] = [];
  for (const pause of graces) {
    await t.sleep(pause);
    const seen = await lookAgain(t, requests);
    again.push(...seen);
    const letIn = seen.findLast(isLetIn);
    if (!letIn) return { last: refused.last, letInS, again };
    letInS = secondsSince(start, letIn);
  }
  return { last: again.findLast(isLetIn) ?? refused.last, letInS, again };
}

async function lookAgain(t: CheckContext, requests: readonly ApiRequest[]): Promise<readonly Exchange[]> {
  const seen: Exchange[] = [];
  for (let look = 0; look < looks; look += 1) {
    const request = requests[look % requests.length];
    if (request) seen.push(await t.send({ ...request, connection: `key look ${look}` }));
  }
  return seen;
}

/** A fault of the server says nothing of the key. */
function isLetIn(exchange: Exchange): boolean {
  const code = responseOf(exchange)?.status ?? 0;
  return code >= 200 && code < 500 && code !== 401 && code !== 429;
}

function secondsSince(start: number, { timings }: Exchange): number {
  return Math.max(1, Math.round((timings.sent - start) / 1000));
}
