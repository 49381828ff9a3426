import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './packageRoot.ts';

const require = createRequire(import.meta.url);

/** The content of a YAML file of this package. Parsing takes a quarter of a second, so a build stores the result. */
export function readYaml(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  parsed ??= loadParsed();
  const before = parsed[hashOf(text)];
  // The caller may keep and change it.
  return before === undefined ? parseYaml(text) : JSON.parse(before);
}

/** Parsed files as JSON, by the hash of their text: a file that has changed since the build is not found. */
type Parsed = Readonly<Record<string, string>>;

let parsed: Parsed | undefined;

/** The file in which a build stores them. */
export function parsedFile(): string {
  return join(packageRoot(), 'dist', 'fixtures.json');
}

/** The content of that file for these YAML files. */
export function renderParsed(paths: readonly string[]): string {
  const texts = paths.map((path) => readFileSync(path, 'utf8'));
  const all: Parsed = Object.fromEntries(
    texts.map((text) => [hashOf(text), JSON.stringify(parseYaml(text))]),
  );
  return JSON.stringify(all);
}

function loadParsed(): Parsed {
  try {
    return existsSync(parsedFile()) ? (JSON.parse(readFileSync(parsedFile(), 'utf8')) as Parsed) : {};
  } catch {
    // After an incomplete build, the YAML files are read.
    return {};
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The parser is loaded only when needed. */
function parseYaml(text: string): unknown {
  const yaml = require('yaml') as { readonly parse: (text: string) => unknown };
  return yaml.parse(text);
}
