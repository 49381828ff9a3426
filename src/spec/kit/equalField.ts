import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '../../trace/body.ts';
import { withoutNumbers } from './withoutNumbers.ts';

/**
 * Whether a member of a record has the same value in two places. missing_info and boarding_passes are sets, whose order
 * is not documented; a pass may have another signature each time; a text for people may count time or requests; what is missing
 * may say since when, and may have an id of its own in each answer.
 */
export function equalField(member: string, one: Json | undefined, other: Json | undefined): boolean {
  return isDeepStrictEqual(plainField(member, one), plainField(member, other));
}

/** A value in the form in which it is compared with other values of the same member. */
export function plainField(member: string, value: Json | undefined): Json | undefined {
  if (member === 'checkin_message' || member === 'status_message') return withoutNumbers(value);
  if (member === 'missing_info') return withoutTraces(asSet(value));
  return member === 'boarding_passes' ? asSet(unsigned(value)) : value;
}

/** JSON with the members of objects in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function asSet(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? (value as readonly Json[]).map(canonical).sort() : value;
}

/** A date with a time of day. A number alone may say which passenger it is. */
const instant = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g;

/** An id that may be made for each answer: a UUID, or a token with a digit. A plain word may be the name of what is missing. */
const freshId =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<="_?id":")(?=[A-Za-z_-]{0,64}\d)[\w-]{8,64}(?=")/gi;

function withoutTraces(items: Json | undefined): Json | undefined {
  if (!Array.isArray(items)) return items;
  const plain = (item: string) => item.replaceAll(instant, '#').replaceAll(freshId, '#');
  return (items as readonly string[]).map(plain).sort();
}

/** URLs without their query, which an object store may generate for each answer. */
function unsigned(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  return (value as readonly Json[]).map((item) =>
    typeof item === 'string' && /^https?:/i.test(item) ? item.replace(/[?#].*$/s, '') : item,
  );
}
