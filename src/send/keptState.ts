import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiKey } from './keyRing.ts';

/** What a check keeps of a key from one run to the next, so that an interrupt costs it no more than it has to. */
export interface KeptState {
  /** The value that was kept, or null. */
  load(name: string, key: ApiKey): unknown;
  /** Keeps a value; null forgets it. A disk that cannot be written to costs only this. */
  save(name: string, key: ApiKey, value: unknown): void;
}

/** Keeps nothing: for targets that are gone after the run. */
export const noKeptState: KeptState = { load: () => null, save: () => undefined };

/** Keeps a file for each name and key in a folder; a key is known by its hash. */
export function openKeptState(folder: string): KeptState {
  const pathOf = (name: string, { value }: ApiKey) =>
    join(folder, `.${name}-${createHash('sha256').update(value).digest('hex').slice(0, 32)}.json`);
  return {
    load: (name, key) => {
      try {
        return JSON.parse(readFileSync(pathOf(name, key), 'utf8')) as unknown;
      } catch {
        return null;
      }
    },
    save: (name, key, value) => {
      const path = pathOf(name, key);
      try {
        mkdirSync(dirname(path), { recursive: true });
        if (value === null) rmSync(path, { force: true });
        else {
          writeFileSync(`${path}.tmp`, JSON.stringify(value));
          renameSync(`${path}.tmp`, path);
        }
      } catch {
        return;
      }
    },
  };
}
