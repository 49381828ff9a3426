/** A row of a CSV file, and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a CSV file that are not blank. Cells are parted by what parts those of its first line: a comma, a semicolon or a tab. */
export function csvRows(text: string): readonly CsvRow[] {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let [cells, line, begun]: [string[], number, number] = [[], 1, 1];
  for (let at = 0; at <= text.length;) {
    const { value, end } = cellAt(text, at, separator);
    cells.push(value);
    line += text.slice(at, end).split('\n').length - 1;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (text[end] === separator) continue;
    if (cells.some((cell) => cell !== '')) rows.push({ line: begun, cells });
    [cells, line] = [[], line + 1];
    begun = line;
  }
  return rows;
}

function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1);
  return /[,;\t]/.exec(first.replace(/"[^"]*"/g, ''))?.[0] ?? ',';
}

const quoted = / *"((?:[^"]|"")*)" */y;
const plain = /[^\r\n,;\t]*/y;

/** A cell in quotes may hold separators, line ends and doubled quotes; if nothing closes it, the quote is a letter like others. */
function cellAt(
  text: string,
  at: number,
  separator: string,
): { readonly value: string; readonly end: number } {
  quoted.lastIndex = at;
  const inQuotes = quoted.exec(text);
  const end = at + (inQuotes?.[0].length ?? 0);
  const isWhole = end >= text.length || [separator, '\r', '\n'].includes(text[end] ?? '');
  if (inQuotes && isWhole) return { value: (inQuotes[1] ?? '').replaceAll('""', '"').trim(), end };
  return plainAt(text, at, separator);
}

function plainAt(text: string, from: number, separator: string) {
  let end = from;
  for (;;) {
    plain.lastIndex = end;
    end += plain.exec(text)?.[0].length ?? 0;
    // The other separators are letters here.
    if (end >= text.length || [separator, '\r', '\n'].includes(text[end] ?? '')) break;
    end += 1;
  }
  return { value: text.slice(from, end).trim(), end };
}
