import type { Command } from 'commander';
import type { Io } from '../core/io.ts';
import type { ExitCode } from '../core/errors.ts';

/** Adds one command to the program; `finish` takes the exit code of its action. */
export type AddCommand = (command: Command, io: Io, finish: (code: ExitCode) => void) => void;
