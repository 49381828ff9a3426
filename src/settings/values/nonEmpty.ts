import { accept, refuse, type Parsed } from './parsed.ts';

/** Text on one line that is not blank, such as a path, a pattern or an image reference. */
export function parseNonEmpty(text: string): Parsed<string> {
  return /^[^\n\r\0]*\S[^\n\r\0]*$/.test(text) ? accept(text.trim()) : refuse('text that is not empty', text);
}
