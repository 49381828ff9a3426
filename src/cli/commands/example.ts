import type { Command } from 'commander';

/** Ends the help of a command with examples to paste. */
export function addExamples(command: Command, ...lines: readonly string[]): void {
  const title = lines.length === 1 ? 'Example:' : 'Examples:';
  command.addHelpText('after', `\n${title}\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
