import { isObject, type Json } from './body.ts';

/** One text for all spellings of a value, whatever the order of its members is. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join()}]`;
  if (!isObject(value)) return value === undefined ? 'nothing' : JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`;
}
