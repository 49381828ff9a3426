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
export class CodeReader {
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
