import { watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { usageError } from '../../core/errors.ts';

/** One save causes several changes: those this close together count as one. */
const quietMs = 100;

/** Calls back when files that match a pattern change, until the signal aborts. */
export function watchFiles(
  pattern: string,
  {
    folder,
    signal,
    onChange,
  }: { readonly folder: string; readonly signal: AbortSignal; readonly onChange: () => void },
): void {
  const base = join(folder, baseOf(pattern));
  const fits = globExpression(pattern);
  let timer: NodeJS.Timeout | undefined;
  const changed = (name: string | null) => {
    if (name === null || !fits.test(relative(folder, join(base, name)).split(sep).join('/'))) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs).unref();
  };
  try {
    watch(base, { recursive: true, signal }, (_event, name) => changed(name)).on('error', () => undefined);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw usageError(
      'FILES',
      `expected a folder to watch for --files ${pattern}; got: ${why}`,
      'Name files as in src/**/*.py.',
    );
  }
}

/** The folders before the first wildcard. */
export function baseOf(pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return parts.slice(0, wild === -1 ? parts.length - 1 : wild).join('/') || '.';
}

/** `*` and `?` match within a folder, `**` across folders. */
export function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => wildcards[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, String.raw`\$&`))
    .join('');
  return new RegExp(`^${source}$`);
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
