import ownTempFolder from '../test/support/ownTempFolder.ts';

// Imported first: what a benchmark and its processes write into the temp folder goes when it ends, also by a fault or Ctrl-C.

process.on('exit', ownTempFolder());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
