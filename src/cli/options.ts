import { type Command, Option } from 'commander';
import type { RawValue } from '../settings/readText.ts';
import type { PlacedRow } from '../settings/row.ts';
import { headingOf } from '../settings/table.ts';

/** Fewer settings are listed without headings. */
const fewestGrouped = 12;

/** Adds an option for each row that has one: those of the command, then settings, in groups where there are many. */
export function addOptions(
  command: Command,
  own: readonly PlacedRow[],
  settings: readonly PlacedRow[] = [],
): void {
  const rows = [...own, ...settings];
  const inGroups = new Set(settings.length > fewestGrouped ? settings : []);
  for (const row of rows) {
    if (row.flag === undefined) continue;
    const option = new Option(row.flag, describeRow(row));
    const heading = inGroups.has(row) ? headingOf(row.path) : null;
    if (heading !== null) option.helpGroup(heading);
    command.addOption(isRepeatable(row) ? option.argParser(collect) : option);
  }
}

/** The help text of a row: what it does, whether it may be repeated, its variable and its default. */
function describeRow(row: PlacedRow): string {
  const usual = usualOf(row);
  const notes = [
    ...(isRepeatable(row) ? ['repeatable'] : []),
    ...(row.variable === undefined ? [] : [`or ${variableOf(row)}`]),
    ...(usual === null ? [] : [`default: ${usual}`]),
  ];
  return notes.length === 0 ? row.help : `${row.help} (${notes.join('; ')})`;
}

/** The variable of a row, with its value if the option takes none; undefined if it has no variable. */
export function variableOf({ default: value, variable }: PlacedRow): string | undefined {
  return variable !== undefined && typeof value === 'boolean' ? `${variable}=on` : variable;
}

/** The default in words; null if there is nothing to say. */
export function usualOf({ usual, default: value }: Pick<PlacedRow, 'usual' | 'default'>): string | null {
  if (usual !== undefined) return usual;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/** The value given for a flag, as commander stores it; `--page` and `--no-page` share one. */
export function rawValues(command: Command): (flag: string) => RawValue {
  return (flag) => {
    const name = new Option(flag).attributeName();
    if (command.getOptionValueSource(name) !== 'cli') return undefined;
    const value = command.getOptionValue(name) as RawValue;
    return (value === false) === flag.startsWith('--no-') ? value : undefined;
  };
}

function isRepeatable({ default: value }: PlacedRow): boolean {
  return Array.isArray(value);
}

function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}
