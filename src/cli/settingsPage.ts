import { isGroup, rowsOf, type PlacedRow, type Table } from '../settings/row.ts';
import { settingsTable } from '../settings/table.ts';
import { escapeMarkdown } from '../report/text/markdown.ts';
import type { CommandSpec } from './command.ts';
import { usualOf, variableOf } from './options.ts';

/** The docs page about all settings and options, derived from their tables. */
export function renderSettingsPage(commands: readonly CommandSpec[]): string {
  return [
    '# Settings and options',
    '',
    'The command line wins over the environment, and the environment over the config file (`gatecheck init` writes one). A secret is written',
    '`env:NAME` in a config file: the name of the environment variable that holds it. A list is comma-separated, or its option is given again.',
    '',
    '<!-- Written by `npm run schemas` from the tables in src/; a test compares. -->',
    '',
    '## Settings of a run',
    '',
    `Options of ${spoken(commands.filter(takesMost).map(({ name }) => name))}, where they apply.`,
    '',
    ...settingsLines(settingsTable),
    ...commands.filter(({ options }) => Object.keys(options).length > 0).flatMap(commandLines),
  ].join('\n');
}

function takesMost({ settings = [] }: CommandSpec): boolean {
  return settings.length > 10;
}

function settingsLines(table: Table): readonly string[] {
  const single = Object.fromEntries(Object.entries(table).filter(([, entry]) => !isGroup(entry)));
  const groups = Object.entries(table).flatMap(([name, entry]) =>
    isGroup(entry) ? [`### \`${name}\`: ${entry.help}`, '', ...settingRows({ [name]: entry }), ''] : [],
  );
  return [...settingRows(single), '', ...groups];
}

function settingRows(table: Table): readonly string[] {
  return [
    '| option | in a config file | variable | what it does | default |',
    '| --- | --- | --- | --- | --- |',
    ...rowsOf(table).map((row) =>
      line([optionCell(row), code(row.field), code(variableOf(row)), row.help, usualOf(row) ?? '']),
    ),
  ];
}

function commandLines({ name, about, options }: CommandSpec): readonly string[] {
  const rows = rowsOf(options);
  const hasVariable = rows.some(({ variable }) => variable !== undefined);
  const head = ['option', ...(hasVariable ? ['variable'] : []), 'what it does', 'default'];
  return [
    `## Options of \`${name}\``,
    '',
    `\`gatecheck ${name}\`: ${about}.`,
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows.map((row) =>
      line([optionCell(row), ...(hasVariable ? [code(variableOf(row))] : []), row.help, usualOf(row) ?? '']),
    ),
    '',
  ];
}

function optionCell({ flag }: PlacedRow): string {
  return code(flag);
}

function code(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : `\`${text}\``;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell.startsWith('`') ? cell : escapeMarkdown(cell))).join(' | ')} |`;
}

function spoken(names: readonly string[]): string {
  return names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
}
