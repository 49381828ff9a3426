import type { ExitCode } from './errors.ts';
import type { Redactor } from './redact.ts';
import type { Palette } from './palette.ts';

/** The environment of the process: variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything outside of itself that a command may touch, passed in by `main.ts`. */
export interface Io {
  /** The words of the command line after `gatecheck`. */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The folder that the command was started in. */
  readonly folder: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Knows every secret that has been read so far; everything printed passes through it. */
  readonly redactor: Redactor;
  /** Asks the person at the terminal and resolves to the answer; null if nobody is there. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Calls back on each key press; absent if nobody is at the terminal. Returns a function that stops it. */
  readonly onKey?: (react: (key: string) => void) => () => void;
  /** Calls back on each SIGINT, SIGTERM or SIGHUP; returns a function that stops it. */
  readonly onInterrupt: (react: () => void) => () => void;
  /** Tells the parent process where the reports will be, in case this process dies; absent without such a parent. */
  readonly onReportDir?: (dir: string) => void;
  /** Ends the process once pending output is printed. */
  readonly exit: (code: ExitCode) => void;
}

/** One of the two output streams. */
export interface Output {
  /** Writes text in which nothing is a command to a CI service; `commands` are written as they are. */
  readonly write: (text: string, kind?: 'text' | 'commands') => void;
  /** Colors, or none if `NO_COLOR`, `CI` or a pipe forbids them and `FORCE_COLOR` does not ask for them. */
  readonly palette: Palette;
  /** A terminal on which lines may be redrawn. */
  readonly interactive: boolean;
  readonly columns: number;
}
