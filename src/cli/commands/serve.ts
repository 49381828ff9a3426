import type { AddCommand } from '../command.ts';
import { addServeOptions, type RawServeOptions, readServeOptions } from '../serve/options.ts';
import { addExamples } from './example.ts';

/** `serve`: runs the reference deployment as a sandbox until it is interrupted. */
export const addServe: AddCommand = (command, io, finish) => {
  addServeOptions(command.description('run the reference deployment of both APIs as a sandbox'));
  addExamples(command, 'gatecheck serve', 'gatecheck serve --port 0 --state-handler --limits 600/10000');
  command.action(async (raw: RawServeOptions) => {
    const settings = readServeOptions(raw, io.env);
    const { serve } = await import('../serve/serve.ts');
    finish(await serve(settings, io));
  });
};
