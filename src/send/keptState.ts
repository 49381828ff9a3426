import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../core/makeFolder.ts';
import type { ApiKey } from './keyRing.ts';

/** What a check remembers about a key from one run to the next, so that an interrupt costs as little as possible. */
export interface KeptState {
  /** The stored value, or null. */
  load(name: string, key: ApiKey): unknown;
  /** Stores a value; null removes it. If the disk cannot be written to, only this is lost. */
  save(name: string, key: ApiKey, value: unknown): void;
}

/** Stores nothing: for targets that are gone after the run. */
export const noKeptState: KeptState = { load: () => null, save: () => undefined };

/** Stores a file for each name and key in a folder; a key is identified by its hash. */
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
        makeFolder(dirname(path));
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
