import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { ApiKey } from './keyRing.ts';
import type { Pacer } from './pacer.ts';

/** Epoch milliseconds of answers by a hash of the key. */
type Memory = Record<string, readonly number[]>;

/** Tells a pacer what earlier runs sent with the same keys, so that two runs in a row stay under the limits together. */
export async function recallPace(
  path: string,
  pacer: Pacer,
  keys: readonly ApiKey[],
  clock: Clock,
): Promise<void> {
  const memory = await read(path);
  const now = clock.monotonic();
  const epoch = clock.now() - now;
  // A time in the future comes of a clock that was set back: what was sent then was sent before now all the same.
  for (const key of keys)
    pacer.window(key).remember((memory[hashOf(key)] ?? []).map((at) => Math.min(at - epoch, now)));
}

/** Keeps what this run sent for the next one. A file that cannot be written costs only this. */
export async function keepPace(
  path: string,
  pacer: Pacer,
  keys: readonly ApiKey[],
  clock: Clock,
): Promise<void> {
  const epoch = clock.now() - clock.monotonic();
  const now = clock.monotonic();
  const memory = forgetOld(await read(path), clock.now() - 3_600_000);
  for (const key of keys) {
    const times = pacer.window(key).recent(now);
    if (times.length > 0) memory[hashOf(key)] = times.map((at) => Math.round(at + epoch));
  }
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, JSON.stringify(memory));
    await rename(temporary, path);
  } catch {
    return;
  }
}

async function read(path: string): Promise<Memory> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    return Object.fromEntries(entries.map(([key, times]) => [key, numbersOf(times)]));
  } catch {
    return {};
  }
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}

function forgetOld(memory: Memory, since: number): Memory {
  const recent = Object.entries(memory).map(
    ([key, times]) => [key, times.filter((at) => at > since)] as const,
  );
  return Object.fromEntries(recent.filter(([, times]) => times.length > 0));
}

function hashOf(key: ApiKey): string {
  return createHash('sha256').update(key.value).digest('hex').slice(0, 32);
}
