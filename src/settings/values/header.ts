import { accept, refuseSecret, type Parsed } from './parsed.ts';

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const form = 'a header field, such as Authorization: Bearer …';

/** A header field `Name: value` whose value is a secret; it is never shown. */
export function parseSecretHeader(text: string): Parsed<HeaderField> {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text.trim()) ?? [];
  if (!isHeaderName(name)) return refuseSecret(form, 'no header name before a colon (not shown)');
  if (!isHeaderValue(value.trim())) {
    return refuseSecret(form, 'an empty value, or one that no header can carry (not shown)');
  }
  return accept({ name, value: value.trim() });
}

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}

export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
