import { printable } from './printable.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element of XML or HTML, without characters that either forbids. */
export function escapeText(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Text for an attribute: line ends are kept, since a parser would turn them into spaces. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replace(/[\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}
