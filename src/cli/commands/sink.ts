import type { AddCommand } from '../command.ts';
import { addSinkOptions, type RawSinkOptions, readSinkOptions } from '../../sink/options.ts';
import { addExamples } from './example.ts';

/** `sink`: stands the callback sink up by itself until it is interrupted. */
export const addSink: AddCommand = (command, io, finish) => {
  addSinkOptions(
    command.description('stand up the callback sink by itself, with a live page of what arrives'),
  );
  addExamples(
    command,
    'gatecheck sink',
    'gatecheck sink --answer 503x3,200 --har callbacks.har',
    'AUTH="X-API-Key: my-secret" gatecheck sink --expect-auth-header env:AUTH',
    'gatecheck sink --sink-listen 127.0.0.1:9000 --sink-public-url https://my-tunnel.example.com',
  );
  command.action(async (raw: RawSinkOptions) => {
    const settings = readSinkOptions(raw, io.env, io.folder);
    const { standAlone } = await import('../../sink/standalone.ts');
    finish(await standAlone(settings, io));
  });
};
