import { withoutCommands } from '../core/ciCommands.ts';

/**
 * Shortens text for vitest and its reporters, which take quadratic time to compare and colour it: text longer than a screen is
 * cut, and runs of blanks are shown as one. The reports have the whole text. Nothing in it is a command to a CI service.
 */
export function clip(text: string, most = 2000): string {
  const head = withoutCommands(text.slice(0, 4 * most)).replace(/[ \t]{20,}/g, ' … ');
  return head.length > most || text.length > 4 * most
    ? `${head.slice(0, most)}… (${text.length} characters in all)`
    : head;
}
