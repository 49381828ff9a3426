import { z } from 'zod';
import { exitCodes } from '../../core/errors.ts';
import { suggest } from '../../core/suggest.ts';
import { problemsError } from '../../settings/problem.ts';
import { command, type CommandSpec } from '../command.ts';
import { renderCompletion, shells, type KnownIds } from '../completion.ts';

/** `completion SHELL`: prints the completion script of a shell for names, options and their values. */
export function completionCommand(commands: () => readonly CommandSpec[]): CommandSpec {
  return command({
    name: 'completion',
    about: 'print the completion script for bash, zsh or fish',
    argument: ['<shell>', shells.join(', '), shells],
    options: {},
    examples: ['source <(gatecheck completion bash)', 'gatecheck completion fish | source'],
    run: async ({ io, args }) => {
      const shell = z.enum(shells).safeParse(args[0]).data;
      const meant = suggest(args[0] ?? '', shells);
      const fault = `expected one of ${shells.join(', ')}${meant}; got another word (not shown)`;
      if (shell === undefined) throw problemsError([{ where: '<shell>', fault }]);
      io.stdout.write(renderCompletion(shell, commands(), await knownIds()));
      return exitCodes.ok;
    },
  });
}

async function knownIds(): Promise<KnownIds> {
  const [{ defects }, { loadCatalogue }, { readSuites }] = await Promise.all([
    import('../../reference/defects.ts'),
    import('../../catalogue/loadCatalogue.ts'),
    import('../../engine/session/suites.ts'),
  ]);
  const rules = loadCatalogue().requirements.map(({ id }) => id);
  const checks = (await readSuites()).map(({ id }) => id);
  return { '--defect': defects.map(({ id }) => id), '--only': [...rules, ...checks] };
}
