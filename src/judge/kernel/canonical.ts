import { isObject, type Json } from './body.ts';

/** One text for all spellings of a value, whatever the order of its members is; to be compared, and not to be shown. */
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
