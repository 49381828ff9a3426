import { extname } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

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

/** A member of an object literal, or an item of a list. */
interface Entry {
  /** The name or index; null if it is computed or spread. */
  readonly key: string | number | null;
  /** Where it starts. */
  readonly at: number;
  /** Where its value starts; null if it has no value of its own. */
  readonly value: number | null;
}

/** Reads object and array literals of JSON, JavaScript and TypeScript, only to locate things in them. */
class CodeReader {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the literal that a module exports by default starts; null if it cannot be found. */
  exported(): number | null {
    const match = /\bexport\s+default\b/.exec(this.#text);
    return match === null ? null : this.#literal(match.index + match[0].length, 0);
  }

  /** The members or items of the literal at a position; empty if there is no literal. */
  entries(at: number): readonly Entry[] {
    const opening = this.#text[at];
    if (opening !== '{' && opening !== '[') return [];
    const entries: Entry[] = [];
    let next = this.skip(at + 1);
    while (next < this.#text.length && !/[}\])]/.test(this.#text[next] ?? '')) {
      const entry = opening === '{' ? this.#member(next) : { key: entries.length, at: next, value: next };
      entries.push(entry);
      const end = this.#end(entry.value ?? next);
      next = this.skip(this.#text[end] === ',' ? end + 1 : end);
    }
    return entries;
  }

  /** The next position that is neither blank nor in a comment. */
  skip(at: number): number {
    const blank = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
    blank.lastIndex = at;
    return at + (blank.exec(this.#text)?.[0].length ?? 0);
  }

  /** Looks through brackets, `defineConfig(` and variable names. */
  #literal(from: number, depth: number): number | null {
    const at = this.skip(from);
    const first = this.#text[at];
    if (first === '{' || first === '[') return at;
    if (first === '(') return this.#literal(at + 1, depth);
    const name = this.#match(/[\w$]+/y, at);
    if (name === null || depth > 4) return null;
    const after = this.skip(at + name.length);
    if (this.#text[after] === '(') return this.#literal(after + 1, depth + 1);
    // A name of letters, digits and _ is a valid pattern.
    const pattern = name.replaceAll('$', '\\$');
    const declared = new RegExp(`\\b(?:const|let|var)\\s+${pattern}(?![\\w$])[^=;]*=`).exec(this.#text);
    return declared === null ? null : this.#literal(declared.index + declared[0].length, depth + 1);
  }

  #member(at: number): Entry {
    const quoted = this.#match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y, at);
    const plain = quoted ?? this.#match(/[\w$]+/y, at);
    const colon = plain === null ? at : this.skip(at + plain.length);
    if (plain === null || this.#text[colon] !== ':') return { key: plain, at, value: null };
    const key = quoted === null ? plain : plain.slice(1, -1);
    return { key, at, value: this.skip(colon + 1) };
  }

  /** Where an expression ends: at the comma or bracket after it. */
  #end(from: number): number {
    let depth = 0;
    for (let at = from; at < this.#text.length;) {
      const token =
        this.#match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`/y, at) ??
        this.#match(/\/\/[^\n]*|\/\*[^]*?\*\//y, at) ??
        this.#text[at] ??
        '';
      if (/^[{[(]$/.test(token)) depth += 1;
      if (/^[}\])]$/.test(token)) depth -= 1;
      if (depth < 0 || (depth === 0 && token === ',')) return at;
      at += token.length;
    }
    return this.#text.length;
  }

  #match(pattern: RegExp, at: number): string | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text)?.[0] ?? null;
  }
}
