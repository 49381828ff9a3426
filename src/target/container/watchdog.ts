import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';

/**
 * Starts a small process that outlives this one long enough to remove what the run has started: it notices the end, whatever the
 * reason, because its input ends. What it cannot remove, the next run sweeps up.
 */
export function watchOver(runId: string): { readonly release: () => void } {
  const file = join(import.meta.dirname, `watchdogMain${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [file, runId], {
    // In its own process group, which Ctrl-C does not reach.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { release: () => void child.kill() };
}
