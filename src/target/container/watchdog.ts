import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';

/**
 * Starts a small process that outlives this one by as long as it takes to remove what the run has started: it hears of
 * the end, whatever it was, by the end of its input. What it cannot remove is swept by the next run.
 */
export function watchOver(runId: string): { readonly release: () => void } {
  const file = join(import.meta.dirname, `watchdogMain${extname(import.meta.filename)}`);
  const child = spawn(process.execPath, [file, runId], {
    // Of its own process group, which a Ctrl-C does not reach.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { release: () => void child.kill() };
}
