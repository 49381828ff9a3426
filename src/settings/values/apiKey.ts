import { accept, refuseSecret, type Parsed } from './parsed.ts';

const form = 'an API key: printable ASCII without blanks, as it goes into the X-API-Key header';

/** One API key; it is never shown. */
export function parseApiKey(text: string): Parsed<string> {
  const key = text.trim();
  if (key === '') return refuseSecret(form, 'an empty one (not shown)');
  const position = key.search(/[^\x21-\x7e]/);
  return position < 0
    ? accept(key)
    : refuseSecret(form, `a character at position ${position + 1} that no header can carry (key not shown)`);
}

/** API keys with commas between; none is ever shown. */
export function parseApiKeys(text: string): Parsed<readonly string[]> {
  const keys: string[] = [];
  for (const [index, part] of text.split(',').entries()) {
    const key = parseApiKey(part);
    if (!key.ok) return refuseSecret(key.expected, `${key.got}, key ${index + 1} in the list`);
    keys.push(key.value);
  }
  return accept(keys);
}
