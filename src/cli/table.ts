/** One column of a table: its title, its cell for a row, and whether it is right-aligned, like numbers. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly right?: boolean;
}

/** Rows as aligned text, with two blanks between columns and the titles above. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) => aligned(cell, widths[index] ?? 0, columns[index]?.right ?? false))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function aligned(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
