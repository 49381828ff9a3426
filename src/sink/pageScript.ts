import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';

/** The page's script as a browser takes it: from the build as it stands, from the sources without its types. */
export function readPageScript(): string {
  const ending = extname(import.meta.url);
  const text = readFileSync(new URL(`page/script${ending}`, import.meta.url), 'utf8');
  return ending === '.ts' ? withoutWarnings(() => stripTypeScriptTypes(text)) : text;
}

/** Node strips all our sources in this way, and calls only the function experimental. */
function withoutWarnings<T>(work: () => T): T {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emit;
  }
}
