import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a test run a temp folder of its own, also to the processes that it starts, and removes it at the end. */
export default function ownTempFolder(): () => void {
  const before = process.env.TMPDIR;
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), 'gatecheck-tests-'));
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  };
}

const memory = '/dev/shm';
const gibibyte = 2 ** 30;

/**
 * A folder in memory where there is plenty, and where programs may be executed; else null. Each run of Gatecheck writes some
 * hundred files: to make and remove them by the thousand takes a disk more time of the processor than the tests themselves.
 */
function inMemory(): string | null {
  if (!existsSync(memory)) return null;
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, freemem()) < 6 * gibibyte) return null;
  const folder = mkdtempSync(join(memory, 'gatecheck-tests-'));
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(status === 0 ? program : folder, { recursive: true });
  return status === 0 ? folder : null;
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
