import { existsSync, readFileSync, statSync } from 'node:fs';
import { registerHooks, type ResolveHookSync } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { usageError } from '../core/errors.ts';

/** Names that a config file may have. */
export const configNames = ['ts', 'js', 'json', 'yaml'].map((ending) => `gatecheck.config.${ending}`);

/** The config file of the nearest folder upward that has one; null if there is none. */
export function findConfig(folder: string): string | null {
  const found = configNames.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 1) throw ambiguous(found);
  if (found[0] !== undefined) return found[0];
  const parent = dirname(folder);
  return parent === folder ? null : findConfig(parent);
}

function ambiguous(found: readonly string[]): Error {
  return usageError(
    'AMBIGUOUS_CONFIG',
    `expected one config file in a folder; got ${found.join(' and ')}`,
    'Remove all but one, or name one with --config.',
  );
}

/** The content of a config file, not yet validated. TypeScript is loaded by Node's own type stripping. */
export async function readConfigFile(path: string): Promise<unknown> {
  refuseHuge(path);
  try {
    return await reader(path)(path);
  } catch (cause) {
    throw unreadable(path, cause, await placeOfFault(path, cause));
  }
}

/** A larger file was probably named by mistake. */
const mostBytes = 1 << 20;

function refuseHuge(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw unreadable(path, new Error('no such file'), null);
  if (size > mostBytes)
    throw usageError(
      'HUGE_CONFIG',
      `expected a config file of at most ${mostBytes} bytes; got ${size} in ${path}`,
      'Name the config file with --config.',
    );
}

function reader(path: string): (path: string) => unknown {
  switch (extname(path)) {
    case '.json':
      return (file) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
    case '.yaml':
    case '.yml':
      return (file) => parseYaml(readFileSync(file, 'utf8')) as unknown;
    default:
      return importDefault;
  }
}

async function importDefault(path: string): Promise<unknown> {
  const { href } = pathToFileURL(path);
  const hooks = registerHooks({ resolve: resolveFor(href) });
  try {
    const module = (await import(href)) as { default?: unknown };
    if (module.default === undefined) throw new Error('no default export');
    return module.default;
  } finally {
    hooks.deregister();
  }
}

/**
 * In a config file, `gatecheck` means this installation, even if the project has not installed it; and a config in TypeScript is
 * a module, whatever the package.json around it says, which avoids a warning.
 */
function resolveFor(config: string): ResolveHookSync {
  const self = new URL(`../index${extname(import.meta.url)}`, import.meta.url).href;
  return (specifier, context, next) => {
    if (specifier === 'gatecheck') return { url: self, shortCircuit: true };
    const resolved = next(specifier, context);
    return resolved.url === config && config.endsWith('.ts')
      ? { ...resolved, format: 'module-typescript' }
      : resolved;
  };
}

function unreadable(path: string, cause: unknown, place: SyntaxPlace | null): Error {
  const where = place === null ? path : `${path}:${place.line}:${place.column}`;
  return usageError(
    'UNREADABLE_CONFIG',
    `${where}: expected a readable config file; got ${faultOf(cause)}`,
    'Run `gatecheck init` in an empty folder for an example.',
  );
}

async function placeOfFault(path: string, cause: unknown): Promise<SyntaxPlace | null> {
  if (!(cause instanceof Error)) return null;
  if (isOfJson(cause)) return jsonFaultAt(readFileSync(path, 'utf8'));
  const { href } = pathToFileURL(path);
  return errorPlace(cause, href) ?? (cause instanceof SyntaxError ? placeInModule(href) : null);
}

/** Node does not report the position of a syntax error in JavaScript, but it does if the same text is read as TypeScript. */
async function placeInModule(href: string): Promise<SyntaxPlace | null> {
  const again = `${href}?place`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      return resolved.url === again ? { ...resolved, format: 'module-typescript' } : resolved;
    },
  });
  try {
    await import(again);
    return null;
  } catch (error) {
    return error instanceof Error ? errorPlace(error, again) : null;
  } finally {
    hooks.deregister();
  }
}

function isOfJson(error: Error): boolean {
  return error instanceof SyntaxError && /\bJSON\b/.test(error.message);
}

/** Parsers quote the file in all lines after the first, and JSON.parse in the first as well: the quote may be a pasted secret. */
function faultOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'an error';
  const code = 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return 'no such file';
  if (isOfJson(cause)) return 'text that is not valid JSON';
  return (
    cause.message
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/ at line \d+, column \d+:?\s*$/, '')
      .trim() ?? 'an error'
  );
}

/** Where a config file cannot be parsed, counted from 1. */
interface SyntaxPlace {
  readonly line: number;
  readonly column: number;
}

/** Where a JSON text becomes invalid; V8's message quotes the text, and only sometimes has a position. */
function jsonFaultAt(text: string): SyntaxPlace {
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
