import { dirname } from 'node:path';
import type { GatecheckError } from '../core/errors.ts';
import { storageError } from '../core/storageFault.ts';

/** One thing to be written, and what it is called where it could not be. */
interface Kept {
  readonly what: string;
  readonly write: () => Promise<unknown>;
}

/** Writes all of it, whatever of it fails; returns the first failure, for the verdict is known and has to be told first. */
export async function keepAll(dir: string, things: readonly Kept[]): Promise<GatecheckError | null> {
  let failure: GatecheckError | null = null;
  for (const { what, write } of things) {
    try {
      await write();
    } catch (cause) {
      failure ??= storageError(what, pathOf(cause) ?? dir, cause);
    }
  }
  return failure;
}

function pathOf(cause: unknown): string | null {
  const path = (cause as { path?: unknown } | null)?.path;
  return typeof path === 'string' ? dirname(path) : null;
}
