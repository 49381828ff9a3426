import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..');

export const reportFolder = join(projectRoot, 'reports', 'mutation');

/** What survivors left undecided, a line each; written by the runners while Stryker runs. */
export const undecidedFile = join(reportFolder, 'undecided.ndjson');

/** The code of all mutants that ever survived, a line each; written by the runners while Stryker runs. */
export const survivedFile = join(reportFolder, 'survived.txt');

/** Survivors that are not expected to be killed, with reasons. */
export const acceptedFile = join(import.meta.dirname, 'accepted.yaml');

/** Where the reference counts requests, below its folder: what is wrong there shows to the checks of the limits only. */
export const countingFiles: readonly string[] = ['limiter', 'windowCounters', 'gate', 'documented'].map(
  (name) => `shared/${name}.ts`,
);
