import { inspect } from 'node:util';
import { describeRow, sentence } from './configSchema.ts';
import { isGroup, type Group, type Row, type Table } from './row.ts';
import { settingsTable } from './table.ts';

/** The file that `init` writes, derived from the table: every setting is commented out, so it is valid unchanged. */
export function renderConfigTemplate(): string {
  const blocks = Object.entries(settingsTable as Table).map(([name, entry]) =>
    isGroup(entry) ? groupLines(name, entry) : rowLines(name, entry),
  );
  const text = blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `  // ${line}`).join('\n'))
    .join('\n\n');
  return `${head}\n${text}\n});\n`;
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
function groupLines(name: string, { help, rows }: Group): readonly string[] {
  const fields = Object.entries(rows).flatMap(([own, entry]) =>
    isGroup(entry) || entry.file === false
      ? []
      : [`// ${entry.help}`, ...fieldLines(entry.file ?? own, entry.example)],
  );
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
