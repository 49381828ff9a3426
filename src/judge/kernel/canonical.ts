import { isObject, type Json } from './body.ts';

/** One text for all spellings of a value and any order of its members; for comparing, not for showing. */
export function canonical(value: Json | undefined): string {
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (Array.isArray(value)) {
    let text = '[';
    for (const element of value as readonly Json[]) text += `${canonical(element)},`;
    return `${text}]`;
  }
  if (!isObject(value)) return value === undefined ? 'nothing' : JSON.stringify(value);
  let text = '{';
  for (const name of Object.keys(value).sort()) text += `${name.length}"${name}:${canonical(value[name])},`;
  return `${text}}`;
}
