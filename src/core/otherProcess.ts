import { readFileSync } from 'node:fs';

/** Ended, though nobody has asked for its exit code yet: where process 1 of a container asks for none, it stays so for ever. */
const ended = new Set(['Z', 'X', 'x']);

/** Whether a process runs; one of another user counts as well. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !ended.has(statOf(pid)?.[0] ?? '');
}

/**
 * When a process started, in ticks since the system did, so that a process with the same id later is known for another one; null where
 * the system does not tell.
 */
export function startOf(pid: number): string | null {
  return statOf(pid)?.[19] ?? null;
}

/** Only Linux tells: the fields behind the name, which may hold anything. */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
