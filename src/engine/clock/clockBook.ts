import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { makeFolder } from '../../core/makeFolder.ts';
import type { StateHandler } from '../../target/stateHandler.ts';

/** By how much a deployment's state handler has moved its clock, in this run and in earlier ones of the user. */
export interface ClockBook {
  /** In milliseconds; 0 where it goes as it did before. */
  readonly movedMs: number;
  /** The file that later runs read; null where there is none. */
  readonly path: string | null;
  /** The state handler moved the clock. */
  move(ms: number): void;
  /** The state handler told the time, as milliseconds ahead of our clock. */
  told(aheadMs: number): void;
}

const pageSchema = z.object({
  version: z.literal(1),
  movedMs: z.number(),
  /** How far ahead of ours the clock is where nothing has moved it; null where the state handler never told. */
  baseMs: z.number().nullable(),
});
type Page = z.infer<typeof pageSchema>;

const unmoved: Page = { version: 1, movedMs: 0, baseMs: null };
/** Two times that a handler tells may differ by as much where nothing moved the clock between them. */
const leastMs = 30_000;

/** The book of a deployment: a file next to the record book, or only memory for a target that ends with the run. */
export function openClockBook(folder: string | null, target: string): ClockBook {
  const name = createHash('sha256').update(target).digest('hex').slice(0, 32);
  return new Book(folder === null ? null : join(folder, 'clocks', `${name}.clock.json`));
}

/** The clock book of an address, in the state folder of the user. */
export function clockBookOf(memory: string | null, baseUrl: string): ClockBook {
  return openClockBook(memory, URL.parse(baseUrl)?.origin ?? baseUrl);
}

class Book implements ClockBook {
  readonly path: string | null;
  #page = unmoved;
  #isWritten = true;

  constructor(path: string | null) {
    this.path = path;
  }

  get movedMs(): number {
    return this.#read().movedMs;
  }

  move(ms: number): void {
    const page = this.#read();
    if (Number.isFinite(ms)) this.#write({ ...page, movedMs: page.movedMs + ms });
  }

  told(aheadMs: number): void {
    if (!Number.isFinite(aheadMs)) return;
    const page = this.#read();
    if (page.baseMs === null) {
      this.#page = { ...page, baseMs: aheadMs - page.movedMs };
      if (page.movedMs !== 0) this.#write(this.#page);
      return;
    }
    // Whoever restarts the deployment sets its clock back.
    const moved = aheadMs - page.baseMs;
    if (Math.abs(moved - page.movedMs) < leastMs) return;
    this.#write(Math.abs(moved) < leastMs ? { ...page, movedMs: 0 } : { ...page, movedMs: moved });
  }

  /** Other processes may have moved it meanwhile. */
  #read(): Page {
    if (this.path === null) return this.#page;
    try {
      this.#page = pageSchema.parse(JSON.parse(readFileSync(this.path, 'utf8')));
    } catch {
      // No file: nothing has moved the clock, unless the disk could not be written to.
      if (this.#isWritten && this.#page.movedMs !== 0) this.#page = unmoved;
    }
    return this.#page;
  }

  #write(page: Page): void {
    this.#page = page;
    if (this.path === null) return;
    try {
      if (page.movedMs === 0) rmSync(this.path, { force: true });
      else {
        makeFolder(join(this.path, '..'), 0o700);
        writeFileSync(`${this.path}.tmp`, JSON.stringify(page));
        renameSync(`${this.path}.tmp`, this.path);
      }
      this.#isWritten = true;
    } catch {
      // Only later runs do not know then.
      this.#isWritten = false;
    }
  }
}

/** The same state handler, whose moves and times go into the book. */
export function withClockBook(handler: StateHandler, book: ClockBook, clock: Clock): StateHandler {
  return {
    ...handler,
    set: async (state, params) => {
      const answer = await handler.set(state, params);
      if (state === 'clock.advance') book.move(Number(params.seconds) * 1000);
      if (typeof answer.now === 'string') book.told(Date.parse(answer.now) - clock.now());
      return answer;
    },
  };
}

/** Asks for the time where earlier runs moved the clock: a restart since then is known before anything is judged by it. */
export async function checkClockBook(handler: StateHandler, book: ClockBook): Promise<void> {
  if (book.movedMs === 0 || handler.states.length === 0) return;
  await handler.set('capabilities', {}).catch(() => undefined);
}
