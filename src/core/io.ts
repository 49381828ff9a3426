import type { ExitCode } from './errors.ts';
import type { Redactor } from './redact.ts';
import type { Palette } from './palette.ts';

/** The environment of the process: variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that a command may touch outside of itself, passed in by `main.ts`. */
export interface Io {
  /** The words of the command line after `gatecheck`. */
  readonly args: readonly string[];
  readonly env: Environment;
  /** The folder that the command was started in. */
  readonly folder: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Knows every secret that has been read so far; nothing is printed past it. */
  readonly redactor: Redactor;
  /** Asks the person at the terminal and resolves to the line that comes; null where no person sits there. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Calls back at each key that is pressed; absent where no person sits there. Returns a function that stops it. */
  readonly onKey?: (react: (key: string) => void) => () => void;
  /** Calls back at each SIGINT, SIGTERM or SIGHUP; returns its removal. */
  readonly onInterrupt: (react: () => void) => () => void;
  /** Tells the parent process where the reports will be, in case this process dies; absent where there is no such parent. */
  readonly onReportDir?: (dir: string) => void;
  /** Ends the process at once, after what was printed. */
  readonly exit: (code: ExitCode) => void;
}

/** One of the two output streams. */
export interface Output {
  readonly write: (text: string) => void;
  /** Colours, or none where `NO_COLOR`, `CI` or a pipe forbids them and no `FORCE_COLOR` asks for them. */
  readonly palette: Palette;
  /** A terminal on which lines may be redrawn. */
  readonly interactive: boolean;
  readonly columns: number;
}
