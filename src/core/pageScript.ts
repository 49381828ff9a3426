import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The script of a page as one text for a browser: the module and everything it imports, each in its own scope. Read from the
 * sources with types stripped, or from the build. Only our own modules, with named imports.
 */
export function assemblePageScript(module: URL): string {
  const parts: string[] = [];
  const numbers = new Map<string, number>();
  addModule(module, { parts, numbers });
  const text = `'use strict';\n${parts.join('\n')}`;
  if (/<\/script/i.test(text)) throw new Error(`The script of ${module.href} would end its element.`);
  return text;
}

interface Bundle {
  readonly parts: string[];
  /** Number of each module by its address; modules run in this order. */
  readonly numbers: Map<string, number>;
}

const importing = /^import\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"];?$/gm;
/** What the compiler leaves in a module that exports nothing. */
const exportingNothing = /^export \{\};?$/gm;
const exporting = /^export ((?:async )?(?:function\*?|const|class|let) (\w+))/gm;

/** Adds a module after the ones that it imports; returns its number. */
function addModule(address: URL, bundle: Bundle): number {
  const known = bundle.numbers.get(address.href);
  if (known !== undefined) return known;
  const names: string[] = [];
  const body = readScript(address)
    .replace(exportingNothing, '')
    .replace(importing, (_, imported: string, from: string) => {
      const list = imported
        .split(',')
        .map((name) => name.trim().replace(' as ', ': '))
        .filter(Boolean);
      if (list.length === 0) return '';
      return `const { ${list.join(', ')} } = m${addModule(new URL(from, address), bundle)};`;
    })
    .replace(exporting, (_, declared: string, name: string) => {
      names.push(name);
      return declared;
    });
  const left = /^(?:import|export)\b.*/m.exec(body);
  if (left) throw new Error(`The script of a page cannot hold "${left[0]}" (${address.href}).`);
  const number = bundle.numbers.size;
  bundle.numbers.set(address.href, number);
  bundle.parts.push(`const m${number} = (() => {\n${body.trim()}\nreturn { ${names.join(', ')} };\n})();`);
  return number;
}

function readScript(address: URL): string {
  const text = readFileSync(fileURLToPath(address), 'utf8');
  return extname(address.pathname) === '.ts' ? stripped(text) : text;
}

/** Kept where Node keeps what it compiles: to start the stripping alone takes a tenth of a short run. */
function stripped(text: string): string {
  const folder = getCompileCacheDir();
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const file = folder && join(folder, `stripped-${process.version}-${hash}.js`);
  try {
    if (file) return readFileSync(file, 'utf8');
  } catch {
    // It was not stripped before.
  }
  const script = withoutWarnings(() => stripTypeScriptTypes(text));
  try {
    // Whole or not at all, since others read it meanwhile.
    if (file) writeFileSync(`${file}.${process.pid}`, script);
    if (file) renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Where nothing can be written, each process strips for itself.
  }
  return script;
}

/** Suppresses Node's warning that stripping types is experimental: it strips all our sources anyway. */
function withoutWarnings<T>(work: () => T): T {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emit;
  }
}
