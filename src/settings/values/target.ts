import type { TargetInput } from '../settingsInput.ts';
import { accept, type Parsed } from './parsed.ts';
import { parseBaseUrl } from './url.ts';

/** A running deployment by its address, or the word `embedded`, which undoes what a later source says. */
export function parseTarget(text: string): Parsed<TargetInput> {
  if (text === 'embedded') return accept({ kind: 'embedded' });
  const url = parseBaseUrl(text);
  if (url.ok) return accept({ kind: 'url', url: url.value, baseUrls: {} });
  return { ...url, expected: `${url.expected}, or the word embedded` };
}
