import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';

/** One request that was sent with a key; times of this process's monotonic clock. */
interface Entry {
  readonly id: string;
  readonly sent: number;
  /** When its answer came; null while unknown. */
  answered: number | null;
  /** How far the server's clock has been moved forward since. */
  aged: number;
}

/** A process that was killed notes no answer: it is assumed to have come this much later. */
const presumedMs = 30_000;

/** Many times what is sent with a key in an hour: of a page that something else has filled, only the end is read. */
const mostBytes = 1 << 22;
const pieceBytes = 1 << 16;

/**
 * What all processes sent with one key in one hour, as lines of a file that all of them append to: `+id time` before a request
 * is sent, `=id time` after its answer, `-id` if it is not sent after all, `~ms` if the server's clock was moved. The order of
 * the lines is the same for all, so that if two take the last slot, the second one notices.
 */
export class PacePage {
  readonly #file: number;
  #offset = 0;
  #rest = '';
  #entries = new Map<string, Entry>();

  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    this.#offset = Math.max(0, fstatSync(this.#file).size - mostBytes);
  }

  append(line: string): void {
    writeSync(this.#file, `${line}\n`);
  }

  /**
   * Reads what was appended since, and takes its times to the monotonic clock: a machine's clock that is set forward or back later
   * moves nothing. A time in the future means that it was set back before: the request was sent before now all the same.
   */
  refresh(clock: Pick<Clock, 'now' | 'monotonic'>): void {
    const [now, epoch] = [clock.now(), clock.now() - clock.monotonic()];
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const read = readSync(this.#file, piece, 0, pieceBytes, this.#offset);
      if (read === 0) return;
      this.#offset += read;
      const lines = (this.#rest + piece.toString('latin1', 0, read)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line, now, epoch);
    }
  }

  /** Requests in the order in which they were noted, up to the named one if any. */
  *before(id?: string): Generator<Entry> {
    for (const entry of this.#entries.values()) {
      if (entry.id === id) return;
      yield entry;
    }
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  close(): void {
    closeSync(this.#file);
  }

  #take(line: string, now: number, epoch: number): void {
    const [mark, [id = '', time = '']] = [line[0], line.slice(1).split(' ')];
    const at = Math.min(Number(time), now) - epoch;
    const entry = this.#entries.get(id);
    if (mark === '+' && Number.isFinite(at)) this.#entries.set(id, { id, sent: at, answered: null, aged: 0 });
    else if (mark === '=' && entry && Number.isFinite(at)) entry.answered = at;
    else if (mark === '-') this.#entries.delete(id);
    else if (mark === '~' && Number.isFinite(Number(id))) this.#age(Number(id));
  }

  #age(ms: number): void {
    for (const entry of this.#entries.values()) entry.aged += ms;
  }
}

/** The instant of the monotonic clock from which a request's window runs, as far as is known. */
export function answeredAt({ sent, answered, aged }: Entry): number {
  return (answered ?? sent + presumedMs) - aged;
}
