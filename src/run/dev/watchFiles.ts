import { statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { usageError } from '../../core/errors.ts';

/** One save causes several changes: those this close together count as one. */
const quietMs = 100;

interface Watching {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}

/** Calls back when files that match a pattern change, until the signal aborts. */
export function watchFiles(pattern: string, { folder, signal, onChange }: Watching): void {
  const base = join(folder, baseOf(pattern));
  requireFolder(base, pattern);
  const fits = globExpression(pattern);
  let timer: NodeJS.Timeout | undefined;
  const changed = (_event: string, path: string) => {
    if (!fits.test(relative(folder, path).split(sep).join('/'))) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, quietMs).unref();
  };
  const watcher = watch(base, {
    ignoreInitial: true,
    ignored: (path) => isInstalled(relative(base, path)),
  });
  watcher.on('all', changed).on('error', () => undefined);
  signal.addEventListener('abort', () => void watcher.close());
}

/** Thousands of files that nobody edits. */
function isInstalled(path: string): boolean {
  return path.split(sep).some((part) => part === 'node_modules' || part === '.git');
}

function requireFolder(base: string, pattern: string): void {
  if (statSync(base, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw usageError(
    'FILES',
    `expected a folder to watch for --files ${pattern}; got: no folder at ${base}`,
    'Name files as in src/**/*.py.',
  );
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
