import { median, type Ratio } from './ratios.ts';

/** Whether the median keeps to the bound. */
export function isKept({ rounds, bound, atLeast = false }: Ratio): boolean {
  return atLeast ? median(rounds) >= bound : median(rounds) <= bound;
}

/** The ratios as a table of plain text; without a verdict where they were not measured long enough for one. */
export function renderTable(ratios: readonly Ratio[], isJudged: boolean): string {
  const rows = [
    ['', 'median', 'min', 'max', 'bound', ''],
    ...ratios.map((ratio) => [
      ratio.title,
      ...[median(ratio.rounds), Math.min(...ratio.rounds), Math.max(...ratio.rounds), ratio.bound].map(
        (value) => value.toFixed(2),
      ),
      !isJudged ? '' : isKept(ratio) ? 'kept' : 'BROKEN',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  const table = lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
  return `${table}\n\n${ratios.map(({ title, details }) => `${title}: ${details}`).join('\n')}\n`;
}
