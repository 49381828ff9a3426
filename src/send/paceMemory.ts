import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { ApiKey } from './keyRing.ts';
import type { Pacer } from './pacer.ts';

/** Epoch milliseconds of answers by a hash of the key. */
type Memory = Record<string, number[]>;

/** Tells a pacer what earlier runs sent with the same keys, so that two runs in a row stay under the limits together. */
export async function recallPace(
  path: string,
  pacer: Pacer,
  keys: readonly ApiKey[],
  clock: Clock,
): Promise<void> {
  const memory = await read(path);
  const epoch = clock.now() - clock.monotonic();
  for (const key of keys) pacer.window(key).remember((memory[hashOf(key)] ?? []).map((at) => at - epoch));
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
  for (const key of keys)
    memory[hashOf(key)] = pacer
      .window(key)
      .recent(now)
      .map((at) => Math.round(at + epoch));
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.tmp`, JSON.stringify(memory));
    await rename(`${path}.tmp`, path);
  } catch {
    return;
  }
}

async function read(path: string): Promise<Memory> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Memory;
  } catch {
    return {};
  }
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
