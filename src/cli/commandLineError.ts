import type { Command, CommanderError } from 'commander';
import { type GatecheckError, usageError } from '../core/errors.ts';
import { suggest } from '../core/suggest.ts';
import { quote } from '../settings/quote.ts';

/** The error for a command line that commander refused. Values are never repeated, since one may be a pasted key. */
export function commandLineError(error: CommanderError, command: Command): GatecheckError {
  const subject = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const path = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
  return usageError('COMMAND_LINE', faultOf(error, subject, command), `See \`${path} --help\`.`);
}

function faultOf(error: CommanderError, subject: string, command: Command): string {
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(subject.replace(/=.*$/s, ''), command);
    case 'commander.unknownCommand':
      return unknownCommand(subject, command);
    case 'commander.help':
      return unknownCommand(command.args[1] ?? '', command);
    case 'commander.optionMissingArgument':
      return `${subject}: expected a value; got none`;
    case 'commander.missingArgument':
      return `expected ${subject}; got nothing`;
    case 'commander.excessArguments':
      return `expected options only${argumentNames(command)}; got further words (not shown)`;
    default:
      return error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  }
}

function unknownOption(flag: string, command: Command): string {
  const known = command.options.flatMap(({ long, short }) =>
    [long, short].filter((name) => name !== undefined),
  );
  const others = (command.parent?.commands ?? []).filter((one) =>
    one.options.some(({ long }) => long === flag),
  );
  if (others.length > 0) return `${flag}: no option of ${command.name()}, but of ${names(others)}`;
  const meant = suggest(flag, known);
  const keys = /^--(api-?)?keys?$/i.test(flag) || (meant === '' && /key|token|secret|auth/i.test(flag));
  return `${flag}: no such option${keys ? '; keys come from the environment, as GATECHECK_KEYS_PRIMARY' : meant}`;
}

function names(commands: readonly Command[]): string {
  return commands.map((one) => one.name()).join(', ');
}

function unknownCommand(name: string, command: Command): string {
  const known = command.commands.map((one) => one.name());
  const meant = suggest(name, known);
  return `${quote(name)}: no such command${meant === '' ? `; expected one of ${known.join(', ')}` : meant}`;
}

function argumentNames(command: Command): string {
  const names = command.registeredArguments.map((argument) => argument.name());
  return names.length === 0 ? '' : ` and ${names.join(', ')}`;
}
