import type { Exchange } from '../../core/evidence.ts';
import { memberOf, responseOf } from '../kernel/body.ts';
import { type Judgement, holds, violated } from '../kernel/judgement.ts';

/** The `callbackApiKey` of an answer; null if none is returned, however it is left out. */
export function keyOf(exchange: Exchange): string | null {
  const key = memberOf(exchange, 'callbackApiKey');
  return typeof key === 'string' && key !== '' ? key : null;
}

/** Whether the answer returns a key. The judgement does not contain the key. */
export function returnsKey(exchange: Exchange): Judgement {
  if (keyOf(exchange) !== null) return holds;
  const key = memberOf(exchange, 'callbackApiKey');
  const actual = key === undefined ? 'no callbackApiKey' : `callbackApiKey ${JSON.stringify(key)}`;
  return violated('key', 'callbackApiKey as a non-empty string', actual);
}

/** Whether the answer returns none; null and a blank count as none (FLA-OPN-009). */
export function returnsNoKey(exchange: Exchange): Judgement {
  const key = keyOf(exchange);
  if (key === null) return holds;
  return violated('key', 'no callbackApiKey', `a callbackApiKey of ${key.length} characters`);
}

/** Whether simultaneous identical subscribes return one key in total. The same key twice counts as one. */
export function oneKeyOf(exchanges: readonly Exchange[]): Judgement {
  const keys = new Set(exchanges.map(keyOf).filter((key) => key !== null));
  if (keys.size === 1) return holds;
  return violated('keys', 'one callbackApiKey in all answers', `${keys.size} different ones`);
}

/** Whether two different keys begin alike. The judgement does not contain them. */
export function samePrefix(one: string, other: string): Judgement {
  if (one !== '' && other.startsWith(one.slice(0, 1))) return holds;
  return violated('prefix', 'keys with one prefix', 'keys that differ from the first character on');
}

/** How an answer without a key leaves it out, by the variants of FLA-OPN-009; null for any other way. */
export function keyOmission(exchange: Exchange): 'absent' | 'null-value' | null {
  if (responseOf(exchange)?.status !== 200) return null;
  const key = memberOf(exchange, 'callbackApiKey');
  return key === undefined ? 'absent' : key === null ? 'null-value' : null;
}
