import { inspect } from 'node:util';
import { describeRow, sentence } from './configSchema.ts';
import { isGroup, type Group, type Row, type Table } from './row.ts';
import { settingsTable } from './table.ts';

/** The file that `init` writes, derived from the table: every setting is commented out, so it is valid unchanged. */
export function renderConfigTemplate(): string {
  const text = blocksOf(() => true)
    .map((lines) => lines.map((line) => `  // ${line}`).join('\n'))
    .join('\n\n');
  return `${head}\n${text}\n});\n`;
}

/** The fields of some settings with example values, to paste into a config file; `keys` stands for the whole group. */
export function renderConfigPart(paths: readonly string[]): string {
  const blocks = blocksOf((path) => paths.some((one) => path === one || path.startsWith(`${one}.`)));
  return blocks
    .flat()
    .map((line) => `  ${/^[A-Z]/.test(line) ? `// ${line}` : line}`)
    .join('\n');
}

/** A config file for a target, with the settings to fill in as comments. */
export function renderConfigFor(target: string | null, paths: readonly string[]): string {
  const address = target === null ? [] : [`  target: ${inspect(target)},`];
  const rest =
    paths.length === 0
      ? []
      : renderConfigPart(paths)
          .replaceAll(/^ {2}(?:\/\/ )?/gm, '  // ')
          .split('\n');
  return `${[head, ...address, ...rest].join('\n')}\n});\n`;
}

/** The lines of each setting: what it is, and its field. */
function blocksOf(isWanted: (path: string) => boolean): readonly (readonly string[])[] {
  return Object.entries(settingsTable as Table)
    .map(([name, entry]) =>
      isGroup(entry) ? groupLines(name, entry, isWanted) : isWanted(name) ? rowLines(name, entry) : [],
    )
    .filter((lines) => lines.length > 0);
}

const head = `import { defineConfig } from 'gatecheck';

// What stands here is overridden by the environment, and that by the command line.
// Secrets never stand here: write 'env:NAME' for the value of an environment variable.
export default defineConfig({`;

function rowLines(name: string, row: Row): readonly string[] {
  if (row.file === false) return [];
  const full = row.fullExample === undefined ? [] : ['or', ...fieldLines(name, row.fullExample)];
  return [describeRow(row), ...fieldLines(row.file ?? name, row.example), ...full];
}

/** A comment within the comment, so that a whole group can be uncommented. */
function groupLines(
  name: string,
  { help, rows }: Group,
  isWanted: (path: string) => boolean,
): readonly string[] {
  const fields = Object.entries(rows).flatMap(([own, entry]) =>
    isGroup(entry) || entry.file === false || !isWanted(`${name}.${own}`)
      ? []
      : [`// ${entry.help}`, ...fieldLines(entry.file ?? own, entry.example)],
  );
  if (fields.length === 0) return [];
  return [sentence(help), `${name}: {`, ...fields.map((line) => `  ${line}`), '},'];
}

function fieldLines(name: string, value: unknown): readonly string[] {
  const key = /^[a-z]\w*$/i.test(name) ? name : `'${name}'`;
  const text = inspect(value, { depth: null, breakLength: 100 }).replaceAll(
    /(?<=\[) (?=\S)|(?<=\S) (?=\])/g,
    '',
  );
  return `${key}: ${text},`.split('\n');
}
