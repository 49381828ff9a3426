import { createWriteStream, writeSync, type WriteStream } from 'node:fs';
import type { Delivery, Exchange } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import { writeError } from '../core/storageFault.ts';
import { JournalText, type Intent } from './journalText.ts';

/** Takes the evidence of a run as it comes. Everything is redacted on the way in. */
export interface Journal {
  exchange(exchange: Exchange, violated: readonly string[]): void;
  delivery(delivery: Delivery, violated: readonly string[]): void;
  event(at: number, name: string, data: Readonly<Record<string, unknown>>): void;
  /** Notes a request that may leave something behind before it leaves; resolves once that would survive the process. */
  sending(at: number, intent: Intent): Promise<void>;
  /** Resolves when it can take more without growing in memory. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing, for runs without a report directory. */
export const noJournal: Journal = {
  exchange: () => undefined,
  delivery: () => undefined,
  event: () => undefined,
  sending: () => Promise.resolve(),
  drained: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Writes `evidence.ndjson`, one line at a time, as the run goes. */
export function openJournal(path: string, redactor: Redactor): Journal {
  return new FileJournal(createWriteStream(path, { flags: 'w', highWaterMark: 1 << 20 }), redactor);
}

/** Goes on with the journal of a run that was cut short, whose last line may be half a line. */
export function continueJournal(path: string, redactor: Redactor): Journal {
  const stream = createWriteStream(path, { flags: 'a', highWaterMark: 1 << 20 });
  stream.write('\n');
  return new FileJournal(stream, redactor);
}

const ready = Promise.resolve();
const newline = 10;
/** A crash loses at most the lines of this moment. */
const flushMs = 50;
const flushBytes = 1 << 18;
/** Of one character, UTF-8 makes at most so many bytes a code unit. */
const bytesPerUnit = 3;

class FileJournal implements Journal {
  readonly #stream: WriteStream;
  readonly #text: JournalText;
  /** Lines that are not on their way to the disk yet, as bytes: a text that grows would be copied at every flush. */
  #buffer = Buffer.alloc(0);
  #used = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Resolves when the stream takes more; null while it does. */
  #draining: PromiseWithResolvers<void> | null = null;
  /** Resolves when what was noted in this turn would survive the process; null where nothing was. */
  #handingOver: Promise<void> | null = null;
  #failed: Error | null = null;
  /** Null until the file is open. */
  #fd: number | null = null;

  constructor(stream: WriteStream, redactor: Redactor) {
    this.#stream = stream;
    this.#text = new JournalText(redactor);
    stream.on('open', (fd) => (this.#fd = fd));
    stream.on('drain', () => this.#drained());
    stream.on('error', (error) => this.#fail(error));
  }

  exchange(exchange: Exchange, violated: readonly string[]): void {
    if (!this.#failed) this.#write(this.#text.exchange(exchange, violated));
  }

  delivery(delivery: Delivery, violated: readonly string[]): void {
    if (!this.#failed) this.#write(this.#text.delivery(delivery, violated));
  }

  event(at: number, name: string, data: Readonly<Record<string, unknown>>): void {
    if (!this.#failed) this.#write(this.#text.event(at, name, data));
  }

  sending(at: number, intent: Intent): Promise<void> {
    if (!this.#failed) this.#write(this.#text.sending(at, intent));
    return (this.#handingOver ??= new Promise((resolve) => setImmediate(() => resolve(this.#handOver()))));
  }

  drained(): Promise<void> {
    return this.#draining?.promise ?? ready;
  }

  async close(): Promise<void> {
    this.#flush();
    await new Promise<void>((resolve) => this.#stream.end(() => resolve()));
    if (this.#failed) throw writeError('the evidence', String(this.#stream.path), this.#failed);
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    this.#drained();
  }

  #drained(): void {
    this.#draining?.resolve();
    this.#draining = null;
  }

  /** Evidence that cannot be kept must not fill the memory: nothing is written any more, and the run ends with that error. */
  #write(line: readonly string[]): void {
    let units = 0;
    for (const part of line) units += part.length;
    this.#makeRoom(units * bytesPerUnit + 1);
    for (const part of line) this.#used += this.#buffer.write(part, this.#used);
    this.#buffer[this.#used++] = newline;
    if (this.#used >= flushBytes) this.#flush();
    // A crash loses at most the lines of this moment.
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#buffer.length) return;
    this.#flush();
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * flushBytes));
  }

  /** What the operating system has is not lost with the process. All that was noted in one turn is handed over at once. */
  #handOver(): Promise<void> {
    this.#handingOver = null;
    if (this.#flushNow() || this.#failed) return ready;
    this.#flush();
    return new Promise((resolve) => this.#stream.write('', () => resolve()));
  }

  /**
   * Hands over to the operating system at once, which takes a tenth of the time that it takes by the stream; not while the
   * stream is at it, so that the lines stay in order.
   */
  #flushNow(): boolean {
    if (this.#fd === null || this.#stream.writableLength > 0 || this.#failed) return false;
    try {
      for (let done = 0; done < this.#used;)
        done += writeSync(this.#fd, this.#buffer, done, this.#used - done);
      this.#used = 0;
      this.#stopTimer();
    } catch (error) {
      this.#fail(error as Error);
    }
    return true;
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    this.#stopTimer();
    if (this.#used === 0 || this.#failed) return;
    if (!this.#stream.write(this.#buffer.subarray(0, this.#used))) this.#draining ??= Promise.withResolvers();
    // What was handed over is not written to any more.
    this.#buffer = this.#buffer.subarray(this.#used);
    this.#used = 0;
  }
}
