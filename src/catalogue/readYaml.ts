import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from './packageRoot.ts';

const require = createRequire(import.meta.url);

/** What stands in a YAML file of this package. To parse it takes a quarter of a second, so that a build keeps what it says. */
export function readYaml(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  parsed ??= loadParsed();
  const before = parsed[hashOf(text)];
  // Whoever gets it may keep it and change it.
  return before === undefined ? parseYaml(text) : JSON.parse(before);
}

/** Parsed files as JSON, by the hash of their text: one that has changed since the build is not among them. */
type Parsed = Readonly<Record<string, string>>;

let parsed: Parsed | undefined;

/** Where a build keeps them. */
export function parsedFile(): string {
  return join(packageRoot(), 'dist', 'fixtures.json');
}

/** What a build keeps of these files. */
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
    // A build that was cut short: the files themselves say the same.
    return {};
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The parser is loaded only where it is needed. */
function parseYaml(text: string): unknown {
  const yaml = require('yaml') as { readonly parse: (text: string) => unknown };
  return yaml.parse(text);
}
