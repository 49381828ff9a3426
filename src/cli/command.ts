import type { ExitCode } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import type { Layer } from '../settings/readText.ts';
import { row, rowsOf, type PlacedRow, type Table, type ValuesOf } from '../settings/row.ts';
import { words } from '../settings/forms.ts';
import { settingsTable } from '../settings/table.ts';

/** One command of the program: data, except for what it does. */
export interface CommandSpec<T extends Table = Table> {
  readonly name: string;
  /** What it does, in a phrase. */
  readonly about: string;
  /** An argument after the name: its place in the usage line, what it is, and the possible words, if they are few. */
  readonly argument?: readonly [place: string, help: string, choices?: readonly string[]];
  /** The settings of a run that it takes as options; a command without any does not read the config file. */
  readonly settings?: readonly PlacedRow[];
  /** Its own options. */
  readonly options: T;
  /** Example command lines. */
  readonly examples: readonly string[];
  readonly run: (call: Call<T>) => Promise<ExitCode>;
}

/** One invocation of a command. */
export interface Call<T extends Table = Table> {
  readonly io: Io;
  readonly args: readonly string[];
  readonly options: ValuesOf<T>;
  /** The flags of its own options that the command line gives. */
  readonly given: ReadonlySet<string>;
  /** The settings of a run given on the command line. */
  readonly flags: Layer;
  /** The names of all variables that some command knows. */
  readonly variables: readonly string[];
}

/** A command; the function only makes TypeScript keep the types of its options. */
export function command<const T extends Table>(spec: CommandSpec<T>): CommandSpec {
  return spec as unknown as CommandSpec;
}

const configRow = row({
  form: words,
  default: null,
  flag: '--config <file>',
  help: 'config file',
  usual: 'gatecheck.config.{ts,js,json,yaml}, looked for in this folder and those above it',
});

const { target, image, ...rest } = settingsTable;
const flagged = rowsOf({ target, image, config: configRow, ...rest }).filter(
  ({ flag }) => flag !== undefined,
);

/** The settings of a run with an option, in the order of the table; without those that are useless for a command. */
export function settingsBut(...left: readonly string[]): readonly PlacedRow[] {
  return flagged.filter(({ path }) => !left.includes(path));
}

/** Only some of them. */
export function settingsOf(...named: readonly string[]): readonly PlacedRow[] {
  return flagged.filter(({ path }) => named.includes(path));
}
