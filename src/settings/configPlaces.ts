import { extname } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { CodeReader } from './codeReader.ts';

/** A position in a config file, counted from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
  /** Whether the whole path was found; otherwise it is the position of the part that was. */
  readonly isWhole: boolean;
}

type Path = readonly PropertyKey[];

/**
 * Finds the position of a value in the text of a config file by its path. In TypeScript and JavaScript, only as far as it is
 * made of literals.
 */
export function placesIn(file: string, text: string): (path: Path) => Place | null {
  const find = /^\.ya?ml$/.test(extname(file)) ? inYaml(text) : inCode(file, text);
  const lines = new LineCounter();
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  lines.lineStarts.unshift(0);
  return (path) => {
    const found = find(path);
    if (found === null) return null;
    const { line, col } = lines.linePos(found.at);
    return { line, column: col, isWhole: found.isWhole };
  };
}

interface Found {
  readonly at: number;
  readonly isWhole: boolean;
}

function inCode(file: string, text: string): (path: Path) => Found | null {
  return (path) => {
    const reader = new CodeReader(text);
    let node = extname(file) === '.json' ? reader.skip(0) : reader.exported();
    let at: number | null = null;
    for (const step of path) {
      const entry = node === null ? undefined : reader.entries(node).findLast(({ key }) => key === step);
      if (entry === undefined) return at === null ? null : { at, isWhole: false };
      [at, node] = [entry.at, entry.value];
    }
    return at === null ? null : { at, isWhole: true };
  };
}

function inYaml(text: string): (path: Path) => Found | null {
  const document = parseDocument(text, { uniqueKeys: false });
  return (path) => {
    let node: unknown = document.contents;
    let at: number | null = null;
    for (const step of path) {
      const [place, value]: readonly [unknown, unknown] = child(node, step);
      const start = (place as Node | undefined)?.range?.[0];
      if (start === undefined) return at === null ? null : { at, isWhole: false };
      [at, node] = [start, value];
    }
    return at === null ? null : { at, isWhole: true };
  };
}

function child(node: unknown, step: PropertyKey): readonly [place: unknown, value: unknown] {
  if (isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  if (!isMap(node)) return [undefined, undefined];
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return [pair?.key, pair?.value];
}

/** The paths of members that occur twice in a JSON text: only the last one would count. */
export function repeatedMembers(text: string): readonly Path[] {
  const reader = new CodeReader(text);
  const within = (node: number, above: Path): readonly Path[] => {
    const entries = reader.entries(node);
    return entries.flatMap(({ key, value }, index) => {
      const path = [...above, key ?? ''];
      const isRepeated = entries.slice(0, index).some((earlier) => earlier.key === key);
      return [...(isRepeated ? [path] : []), ...(value === null ? [] : within(value, path))];
    });
  };
  return within(reader.skip(0), []);
}
