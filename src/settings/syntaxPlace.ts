/** Where a config file cannot be parsed, counted from 1. */
export interface SyntaxPlace {
  readonly line: number;
  readonly column: number;
}

/** Where a JSON text becomes invalid; V8's message quotes the text, and only sometimes has a position. */
export function jsonFaultAt(text: string): SyntaxPlace {
  let at = 0;
  let furthest = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match === undefined) return false;
    at += match.length;
    furthest = Math.max(furthest, at);
    return true;
  };
  const mark = (sign: string) => {
    take(/[ \t\r\n]*/y);
    if (text[at] !== sign) return false;
    at += 1;
    furthest = Math.max(furthest, at);
    return true;
  };
  const list = (closing: string, item: () => boolean): boolean => {
    if (mark(closing)) return true;
    while (item()) if (!mark(',')) return mark(closing);
    return false;
  };
  const value = (): boolean => {
    take(/[ \t\r\n]*/y);
    if (mark('{')) return list('}', () => key() && mark(':') && value());
    if (mark('[')) return list(']', value);
    return take(scalar);
  };
  const key = () => {
    take(/[ \t\r\n]*/y);
    return take(string);
  };
  value();
  take(/[ \t\r\n]*/y);
  return placeOf(text, furthest);
}

const string = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

function placeOf(text: string, at: number): SyntaxPlace {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where an error of a parser or of the config's own code occurred, as far as it says so. */
export function errorPlace(error: Error, href: string): SyntaxPlace | null {
  // A YAML error.
  const [first] = (error as { readonly linePos?: readonly { line: number; col: number }[] }).linePos ?? [];
  if (first !== undefined) return { line: first.line, column: first.col };
  const stack = error.stack ?? '';
  const at = stack.indexOf(href);
  const [, line, column] = /^:(\d+)(?::(\d+))?/.exec(at < 0 ? '' : stack.slice(at + href.length)) ?? [];
  if (line === undefined) return null;
  // Carets follow the line of a syntax error.
  const carets = /\n( *)\^+/.exec(stack)?.[1]?.length;
  return { line: Number(line), column: Number(column ?? (carets ?? 0) + 1) };
}
