import { exitCodes } from '../../core/errors.ts';
import { command } from '../command.ts';
import { servedPolicy, serveTable } from '../serve/table.ts';

/** `serve`: runs the reference deployment as a sandbox until it is interrupted. */
export const serveCommand = command({
  name: 'serve',
  about: 'run the reference deployment of both APIs as a sandbox',
  options: serveTable,
  examples: [
    'gatecheck serve',
    'gatecheck serve --port 0 --state-handler --limits 600/10000',
    'gatecheck serve --list-defects',
  ],
  run: async ({ io, options }) => {
    if (options.listDefects || options.listDialects) {
      const { renderDefects, renderDialects } = await import('../serve/lists.ts');
      if (options.listDefects) io.stdout.write(renderDefects());
      if (options.listDialects) io.stdout.write(renderDialects());
      return exitCodes.ok;
    }
    const policy = servedPolicy(options);
    const { serve } = await import('../serve/serve.ts');
    return serve({ ...options, policy }, io);
  },
});
