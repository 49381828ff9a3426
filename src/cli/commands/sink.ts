import { sinkTable, validateSink } from '../../sink/options.ts';
import { command } from '../command.ts';

/** `sink`: runs the callback sink by itself until it is interrupted. */
export const sinkCommand = command({
  name: 'sink',
  about: 'run the callback sink on its own, with a live page of what arrives',
  options: sinkTable,
  examples: [
    'gatecheck sink',
    'gatecheck sink --answer 503x3,200 --har callbacks.har',
    'AUTH="X-API-Key: my-secret" gatecheck sink --expect-auth-header env:AUTH',
    'gatecheck sink --sink-listen 127.0.0.1:9000 --sink-public-url https://my-tunnel.example.com',
  ],
  run: async ({ io, options }) => {
    validateSink(options);
    const { standAlone } = await import('../../sink/standalone.ts');
    return standAlone(options, io);
  },
});
