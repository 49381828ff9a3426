import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/makeFolder.ts';
import type { Clock } from '../core/clock.ts';
import type { ApiKey } from './keyRing.ts';
import type { WindowLimit } from '../core/windowLimit.ts';
import { slackMs } from './keyWindow.ts';
import { answeredAt, PacePage } from './pacePage.ts';

/** What this and all other processes of the user send with the same keys, known before anything is sent. */
export interface PaceBook {
  /** Notes a request that is about to be sent. Null if others have taken the last slot: then it must not be sent. */
  claim(key: ApiKey, isForced: boolean): string | null;
  /** Its answer has come. */
  settle(key: ApiKey, id: string): void;
  /** Answers that another process got for this run, as times of the monotonic clock. */
  note(key: ApiKey, times: readonly number[]): void;
  /** The server's clock was moved forward by `ms`. */
  age(ms: number): void;
  /** When others got their answers, as times of the monotonic clock in ascending order. */
  others(key: ApiKey): readonly number[];
  close(): void;
}

/** For targets to which no other process sends, and keys that no other has. */
export const noPaceBook: PaceBook = {
  claim: () => '',
  settle: () => undefined,
  note: () => undefined,
  age: () => undefined,
  others: () => [],
  close: () => undefined,
};

interface PaceBookOptions {
  readonly folder: string;
  /** Keys that others may use as well; keys that were issued to this run are its own. */
  readonly keys: readonly ApiKey[];
  /** Address of the deployment: the same key may be valid for several. */
  readonly target: string;
  readonly clock: Clock;
  readonly limits: readonly WindowLimit[];
}

const hourMs = 3_600_000;

/** Opens the book of a user. If the folder cannot be written, only what others send is unknown. */
export function openPaceBook(options: PaceBookOptions): PaceBook {
  try {
    makeFolder(options.folder, 0o700);
    removeOld(options.folder, hourOf(options.clock));
    return new FileBook(options);
  } catch {
    return noPaceBook;
  }
}

class FileBook implements PaceBook {
  readonly #options: PaceBookOptions;
  /** Distinguishes the requests of this process from those of others. */
  readonly #own = randomBytes(6).toString('hex');
  readonly #names: ReadonlyMap<string, string>;
  /** The pages of a key that still count, by their hour. */
  readonly #pages = new Map<string, Map<number, PacePage>>();
  #count = 0;

  constructor(options: PaceBookOptions) {
    this.#options = options;
    this.#names = new Map(options.keys.map(({ value }) => [value, hashOf(options.target, value)]));
    for (const name of this.#names.values()) this.#openPages(name);
  }

  claim(key: ApiKey, isForced: boolean): string | null {
    const name = this.#names.get(key.value);
    if (name === undefined) return '';
    const id = `${this.#own}.${(this.#count += 1)}`;
    return this.#tolerant(id, () => {
      const page = this.#today(name);
      page.append(`+${id} ${Math.round(this.#options.clock.now())}`);
      const pages = this.#refreshed(name);
      if (isForced || this.#hasRoom(pages, id)) return id;
      page.append(`-${id}`);
      page.refresh(this.#options.clock);
      return null;
    });
  }

  settle(key: ApiKey, id: string): void {
    const name = this.#names.get(key.value);
    if (name === undefined || id === '') return;
    // The page of the hour in which it was claimed, which may have passed.
    const line = `=${id} ${Math.round(this.#options.clock.now())}`;
    this.#tolerant(null, () => {
      const pages = [...(this.#pages.get(name)?.values() ?? [])];
      const page = pages.find((one) => one.has(id));
      page?.append(line);
      // Read at once: later the machine's clock may have been set.
      page?.refresh(this.#options.clock);
      return null;
    });
  }

  note(key: ApiKey, times: readonly number[]): void {
    const name = this.#names.get(key.value);
    if (name === undefined) return;
    const { clock } = this.#options;
    const epoch = clock.now() - clock.monotonic();
    this.#tolerant(null, () => {
      for (const time of times) {
        const [id, at] = [`${this.#own}.${(this.#count += 1)}`, Math.round(time + epoch)];
        this.#today(name).append(`+${id} ${at}\n=${id} ${at}`);
      }
      return null;
    });
  }

  age(ms: number): void {
    this.#tolerant(null, () => {
      for (const name of this.#names.values())
        for (const page of this.#refreshed(name)) page.append(`~${ms}`);
      return null;
    });
  }

  others(key: ApiKey): readonly number[] {
    const name = this.#names.get(key.value);
    if (name === undefined) return [];
    const times = this.#tolerant<readonly number[]>([], () =>
      this.#refreshed(name).flatMap((page) =>
        [...page.before()].filter(({ id }) => !id.startsWith(this.#own)).map((entry) => answeredAt(entry)),
      ),
    );
    return times.toSorted((a, b) => a - b);
  }

  close(): void {
    for (const pages of this.#pages.values()) for (const page of pages.values()) page.close();
    this.#pages.clear();
  }

  #hasRoom(pages: readonly PacePage[], id: string): boolean {
    const now = this.#options.clock.monotonic();
    return this.#options.limits.every(({ limit, windowMs }) => {
      const since = now - windowMs - slackMs;
      let count = 0;
      for (const page of pages)
        for (const entry of page.before(id)) if (answeredAt(entry) > since) count += 1;
      return count < limit;
    });
  }

  /** The pages of a key, with all that has been appended to them. */
  #refreshed(name: string): readonly PacePage[] {
    const pages = [...this.#openPages(name).values()];
    for (const page of pages) page.refresh(this.#options.clock);
    return pages;
  }

  #today(name: string): PacePage {
    const page = this.#openPages(name).get(hourOf(this.#options.clock));
    if (!page) throw new Error('a page of this hour is always open');
    return page;
  }

  #openPages(name: string): Map<number, PacePage> {
    const hour = hourOf(this.#options.clock);
    const pages = this.#pages.get(name) ?? new Map<number, PacePage>();
    this.#pages.set(name, pages);
    for (const [one, page] of pages) {
      if (one >= hour - 1) continue;
      page.close();
      pages.delete(one);
    }
    for (const one of [hour - 1, hour])
      if (!pages.has(one)) pages.set(one, new PacePage(join(this.#options.folder, `${name}.${one}.pace`)));
    return pages;
  }

  /** If the disk is full or a file was removed, only what others send is unknown. */
  #tolerant<T>(otherwise: T, act: () => T): T {
    try {
      return act();
    } catch {
      return otherwise;
    }
  }
}

function hourOf(clock: Clock): number {
  return Math.floor(clock.now() / hourMs);
}

function removeOld(folder: string, hour: number): void {
  for (const name of readdirSync(folder)) {
    const of = /\.(\d+)\.pace$/.exec(name)?.[1];
    if (of !== undefined && Number(of) < hour - 1) rmSync(join(folder, name), { force: true });
  }
}

function hashOf(target: string, value: string): string {
  return createHash('sha256').update(`${target}\n${value}`).digest('hex').slice(0, 32);
}
