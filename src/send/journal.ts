import {
  closeSync,
  createWriteStream,
  fstatSync,
  openSync,
  readSync,
  writeSync,
  type WriteStream,
} from 'node:fs';
import type { Delivery, Exchange } from '../core/evidence.ts';
import { collectGarbage } from '../core/collectGarbage.ts';
import type { Redactor } from '../core/redact.ts';
import { writeError } from '../core/storageFault.ts';
import type { Note } from '../trace/evidence.ts';
import { JournalText, type Intent } from './journalText.ts';

/** Records the evidence of a run as it arrives. Everything is redacted before it is recorded. */
export interface Journal {
  exchange(exchange: Exchange, violated: readonly string[]): void;
  delivery(delivery: Delivery, violated: readonly string[]): void;
  event(at: number, name: string, data: Readonly<Record<string, unknown>>): void;
  /** What was not on the wire: what the state handler did, and what only the run knows. */
  note(note: Note): void;
  /** Notes a request that may leave something behind before it is sent; resolves once the note would survive the process. */
  sending(at: number, intent: Intent): Promise<void>;
  /** Resolves once it can take more without growing in memory; undefined if it can. */
  drained(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Keeps nothing, for runs without a report directory. */
export const noJournal: Journal = {
  exchange: () => undefined,
  delivery: () => undefined,
  event: () => undefined,
  note: () => undefined,
  sending: () => Promise.resolve(),
  drained: () => undefined,
  close: () => Promise.resolve(),
};

/** Writes `evidence.ndjson`, one line at a time, during the run. */
export function openJournal(path: string, redactor: Redactor): Journal {
  return new FileJournal(createWriteStream(path, { flags: 'w', highWaterMark: 1 << 20 }), redactor);
}

/** Continues the journal of a run that was cut short, whose last line may be incomplete. */
export function continueJournal(path: string, redactor: Redactor): Journal {
  const stream = createWriteStream(path, { flags: 'a', highWaterMark: 1 << 20 });
  if (!endsLine(path)) stream.write('\n');
  return new FileJournal(stream, redactor);
}

function endsLine(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === newline);
  } finally {
    closeSync(file);
  }
}

const ready = Promise.resolve();
const newline = 10;
/** A crash loses at most the lines of this time span. */
const flushMs = 50;
/** Notes of so short a time are handed over together: each time costs more than making the lines does. */
const handOverMs = 1;
const flushBytes = 1 << 18;
const mostWaiting = 64;
/** Most bytes that UTF-8 needs for one UTF-16 code unit. */
const bytesPerUnit = 3;

class FileJournal implements Journal {
  readonly #stream: WriteStream;
  readonly #text: JournalText;
  /** What is no line yet, with the bytes of its bodies. */
  #waiting: (() => readonly string[])[] = [];
  #waitingBytes = 0;
  /** Lines not yet on their way to the disk, as bytes: a growing string would be copied at every flush. */
  #buffer = Buffer.alloc(0);
  #used = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Resolves once the stream takes more; null while it does. */
  #draining: PromiseWithResolvers<void> | null = null;
  /** Resolves once the latest notes would survive the process; null if there are none. */
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
    const { outcome, request } = exchange;
    const answered = outcome.kind === 'response' ? outcome.response.body.length : 0;
    this.#add(() => this.#text.exchange(exchange, violated), answered + (request.body?.length ?? 0));
  }

  delivery(delivery: Delivery, violated: readonly string[]): void {
    this.#add(() => this.#text.delivery(delivery, violated), delivery.body.length);
  }

  event(at: number, name: string, data: Readonly<Record<string, unknown>>): void {
    const line = this.#text.event(at, name, data);
    this.#add(() => line);
  }

  note(note: Note): void {
    const line = this.#text.note(note);
    this.#add(() => line);
  }

  sending(at: number, intent: Intent): Promise<void> {
    this.#add(() => this.#text.sending(at, intent), intent.request.body?.length);
    return (this.#handingOver ??= new Promise((resolve) => {
      setTimeout(() => resolve(this.#handOver()), handOverMs);
    }));
  }

  drained(): Promise<void> | undefined {
    return this.#draining?.promise;
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

  /**
   * Evidence that cannot be written must not fill the memory: nothing more is written, and the run ends with that error. Several
   * lines one after another take half as long to make as each by itself.
   */
  #add(line: () => readonly string[], bytes = 0): void {
    if (this.#failed) return;
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > flushBytes || this.#waiting.length >= mostWaiting) this.#writeWaiting();
    // A crash loses at most the lines of this time span.
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  #writeWaiting(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const line of waiting) this.#append(line());
  }

  #append(line: readonly string[]): void {
    let units = 0;
    for (const part of line) units += part.length;
    this.#makeRoom(mostBytesOf(line, units) + 1);
    for (const part of line) this.#used += this.#buffer.write(part, this.#used);
    this.#buffer[this.#used++] = newline;
    collectGarbage(units);
    if (this.#used >= flushBytes) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#buffer.length) return;
    this.#flush();
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * flushBytes));
  }

  /** What the operating system has is not lost with the process. */
  #handOver(): Promise<void> {
    this.#handingOver = null;
    this.#writeWaiting();
    if (this.#flushNow() || this.#failed) return ready;
    this.#flush();
    return new Promise((resolve) => this.#stream.write('', () => resolve()));
  }

  /**
   * Hands over to the operating system at once, which takes a tenth of the time that the stream takes; not while the stream is
   * writing, so that the lines stay in order.
   */
  #flushNow(): boolean {
    const { writableLength, destroyed } = this.#stream;
    // A stream that failed closes its file before it tells: the next connection may already have that number.
    if (this.#fd === null || writableLength > 0 || destroyed || this.#failed) return false;
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
    this.#writeWaiting();
    this.#stopTimer();
    if (this.#used === 0 || this.#failed) return;
    if (!this.#stream.write(this.#buffer.subarray(0, this.#used))) this.#draining ??= Promise.withResolvers();
    // The part that was handed over must not be written to any more.
    this.#buffer = this.#buffer.subarray(this.#used);
    this.#used = 0;
  }
}

/** At least the bytes of a line. A long one is counted, since three times a body of megabytes would be taken for it. */
function mostBytesOf(line: readonly string[], units: number): number {
  if (units <= flushBytes) return units * bytesPerUnit;
  return line.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}
