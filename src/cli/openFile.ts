import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { usageError } from '../core/errors.ts';
import type { Environment } from '../core/io.ts';

/** Opens a file as a double click does; fails clearly on a machine without a desktop. */
export async function openFile(path: string, env: Environment): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command ?? '', [...args, path], { env: { ...env }, stdio: 'ignore', detached: true });
  child.unref();
  try {
    await once(child, 'spawn');
  } catch {
    throw usageError(
      'CANNOT_OPEN',
      `expected ${command ?? ''} to open ${path}; there is none`,
      'Open the file by hand.',
    );
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
