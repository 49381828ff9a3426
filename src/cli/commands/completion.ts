import { z } from 'zod';
import { exitCodes } from '../../core/errors.ts';
import { suggest } from '../../core/suggest.ts';
import { problemsError } from '../../settings/problem.ts';
import { command, type CommandSpec } from '../command.ts';
import { renderCompletion, shells } from '../completion.ts';

/** `completion SHELL`: prints the completion script of a shell for names, options and their values. */
export function completionCommand(commands: () => readonly CommandSpec[]): CommandSpec {
  return command({
    name: 'completion',
    about: 'print the completion script for bash, zsh or fish',
    argument: ['<shell>', shells.join(', '), shells],
    options: {},
    examples: ['source <(gatecheck completion bash)', 'gatecheck completion fish | source'],
    run: ({ io, args }) => {
      const shell = z.enum(shells).safeParse(args[0]).data;
      const meant = suggest(args[0] ?? '', shells);
      const fault = `expected one of ${shells.join(', ')}${meant}; got another word (not shown)`;
      if (shell === undefined) throw problemsError([{ where: '<shell>', fault }]);
      io.stdout.write(renderCompletion(shell, commands()));
      return Promise.resolve(exitCodes.ok);
    },
  });
}
