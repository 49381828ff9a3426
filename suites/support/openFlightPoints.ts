import { type AnswerObject, type Exchange, headerOf, memberOf, responseOf } from '../checks.ts';

/** How a leg without alternate routes shows that, as named by FLA-OPN-024; null if it has some. */
export function alternateInfoForm(leg: AnswerObject): 'absent' | 'null-value' | 'empty-array' | null {
  const { alternateInfo } = leg;
  if (alternateInfo === undefined) return 'absent';
  if (alternateInfo === null) return 'null-value';
  return Array.isArray(alternateInfo) && alternateInfo.length === 0 ? 'empty-array' : null;
}

/** Where no-store is sent in addition to successful lookups, as named by FLA-OPN-020. */
export function storingForbidden(
  subscribed: Exchange,
  error: Exchange,
): 'lookup-only' | 'subscribe-too' | 'everywhere' | null {
  const [onSubscribe, onError] = [subscribed, error].map(isNotStored);
  if (onSubscribe === null || onError === null || responseOf(subscribed)?.status !== 200) return null;
  if (onError === true) return onSubscribe === true ? 'everywhere' : null;
  return onSubscribe === true ? 'subscribe-too' : 'lookup-only';
}

function isNotStored(exchange: Exchange): boolean | null {
  const response = responseOf(exchange);
  return response && /\bno-store\b/i.test(headerOf(response, 'cache-control') ?? '');
}

/** The common beginning of callback keys, if it is more than a coincidence: at least two characters. */
export function commonPrefix(one: string, other: string): string | null {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length += 1;
  return length >= 2 ? one.slice(0, length) : null;
}

/** How an answer without a key leaves it out, by the variants of FLA-OPN-009; null for any other way. */
export function keyOmission(exchange: Exchange): 'absent' | 'null-value' | null {
  if (responseOf(exchange)?.status !== 200) return null;
  const key = memberOf(exchange, 'callbackApiKey');
  return key === undefined ? 'absent' : key === null ? 'null-value' : null;
}
