import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { LogLine } from '../target.ts';

/** A server that logs a lot must not fill the memory: beyond this, the oldest lines are dropped. */
const mostLines = 50_000;
const longestLine = 4000;

/** The lines of all containers of a run, with their times of arrival. */
export class ContainerLog {
  readonly #now: () => number;
  #lines: LogLine[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Follows the output of a container until it ends. */
  follow(container: string, output: Readable): void {
    let rest = '';
    output.on('data', (chunk: Buffer | string) => {
      const pieces = (rest + chunk.toString()).split('\n');
      rest = (pieces.pop() ?? '').slice(0, longestLine);
      for (const text of pieces) this.#add(container, text);
    });
    output.on('end', () => {
      if (rest !== '') this.#add(container, rest);
    });
    // A log that breaks off is no reason to abort the run.
    output.on('error', () => undefined);
  }

  /** The last lines of a container, for an error message. */
  tail(container: string, count = 15): readonly string[] {
    return this.#lines
      .filter((line) => line.container === container)
      .slice(-count)
      .map(({ text }) => text);
  }

  #add(container: string, text: string): void {
    const clean = text.replace(/\r$/, '').slice(0, longestLine);
    this.#lines.push({ at: this.#now(), container, text: clean });
    if (this.#lines.length > 2 * mostLines) this.#lines = this.#lines.slice(-mostLines);
  }
}

/** Reads an output to its end, or as far as it comes within `ms`. */
export async function settle(output: Readable, ms: number): Promise<void> {
  await finished(output, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
}
