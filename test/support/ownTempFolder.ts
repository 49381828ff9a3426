import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a test run a temp folder of its own, also to the processes that it starts, and removes it at the end. */
export default function ownTempFolder(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}

/** Gives a script a temp folder of its own, removed also where it fails or is interrupted. */
export async function inOwnTempFolder<T>(work: () => Promise<T>): Promise<T> {
  const remove = ownTempFolder();
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupted);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
    remove();
  }
}
