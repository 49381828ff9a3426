import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export const reportFolder = join(root, 'reports', 'mutation');

/** Survivors that left rows undecided, a line each; written by the runners while Stryker runs. */
export const undecidedFile = join(reportFolder, 'undecided.ndjson');

/** Survivors that are not expected to be killed, with reasons. */
export const acceptedFile = join(import.meta.dirname, 'accepted.yaml');
