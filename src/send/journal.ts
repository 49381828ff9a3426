import { createWriteStream, writeSync, type WriteStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { bufferOf } from '../core/bytes.ts';
import type { Delivery, Exchange, Headers } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import { writeError } from '../core/storageFault.ts';
import { isCredential, shownHeader } from './shownHeader.ts';
import {
  sameAs,
  type DeliveryLine,
  type ExchangeLine,
  type JournalLine,
  type RecordedBody,
} from './journalLine.ts';
import { RecordedBodies } from './longBodies.ts';

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

/** A request that is about to be sent, as far as it is known then. */
export type Intent = Pick<Exchange, 'id' | 'check' | 'operation' | 'enterprise' | 'key' | 'request'>;

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
/** Of a body that is longer than is read, the journal keeps the beginning. */
const keptOfTruncated = 1 << 16;

class FileJournal implements Journal {
  readonly #stream: WriteStream;
  readonly #redactor: Redactor;
  readonly #keeper: Keeper;
  /** Lines that are not on their way to the disk yet, as bytes: a text that grows would be copied at every flush. */
  #buffer = Buffer.alloc(0);
  #used = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Resolves when the stream takes more; null while it does. */
  #draining: PromiseWithResolvers<void> | null = null;
  #failed: Error | null = null;
  /** Null until the file is open. */
  #fd: number | null = null;

  constructor(stream: WriteStream, redactor: Redactor) {
    this.#stream = stream;
    this.#redactor = redactor;
    this.#keeper = { redactor, bodies: new RecordedBodies() };
    stream.on('open', (fd) => (this.#fd = fd));
    stream.on('drain', () => this.#drained());
    stream.on('error', (error) => this.#fail(error));
  }

  exchange(exchange: Exchange, violated: readonly string[]): void {
    this.#write(toLine(exchange, violated, this.#keeper));
  }

  delivery(delivery: Delivery, violated: readonly string[]): void {
    this.#write(toDeliveryLine(delivery, violated, this.#keeper));
  }

  event(at: number, name: string, data: Readonly<Record<string, unknown>>): void {
    this.#write({ type: 'event', at: new Date(at).toISOString(), name, data });
  }

  sending(at: number, intent: Intent): Promise<void> {
    const { id, check, operation, enterprise, key } = intent;
    const request = toRequest(intent, this.#keeper);
    const startedAt = new Date(at).toISOString();
    this.#write({ type: 'sending', startedAt, id, check, operation, enterprise, key, request });
    if (this.#flushNow() || this.#failed) return ready;
    this.#flush();
    // What the operating system has is not lost with the process.
    return new Promise((resolve) => this.#stream.write('', () => resolve()));
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

  #write(line: JournalLine): void {
    // Evidence that cannot be kept must not fill the memory; the run ends with that error.
    if (this.#failed) return;
    const text = this.#redactor.redact(JSON.stringify(line));
    this.#makeRoom(text.length * bytesPerUnit + 1);
    this.#used += this.#buffer.write(text, this.#used);
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

/** How bodies become part of a line. */
interface Keeper {
  readonly redactor: Redactor;
  readonly bodies: RecordedBodies;
}

function toLine(exchange: Exchange, violated: readonly string[], keeper: Keeper): ExchangeLine {
  const { outcome, timings } = exchange;
  const response = outcome.kind === 'response' ? outcome.response : null;
  return {
    type: 'exchange',
    id: exchange.id,
    check: exchange.check,
    operation: exchange.operation,
    enterprise: exchange.enterprise,
    key: exchange.key,
    startedAt: new Date(timings.sentAt).toISOString(),
    durationMs: Math.round((timings.received - timings.sent) * 1000) / 1000,
    request: toRequest(exchange, keeper),
    response: response && {
      status: response.status,
      headers: response.headers,
      body: recordIncoming(exchange.id, response, keeper),
      truncated: response.truncated,
    },
    failure: outcome.kind === 'failure' ? outcome.failure : null,
    ...(violated.length === 0 ? {} : { violated }),
  };
}

function toRequest({ request, key }: Intent, { redactor }: Keeper): ExchangeLine['request'] {
  return {
    method: request.method,
    url: request.baseUrl + request.target,
    headers: withoutKey(request.headers, key),
    body: recordBody(request.body, redactor),
  };
}

function toDeliveryLine(delivery: Delivery, violated: readonly string[], keeper: Keeper): DeliveryLine {
  const { id, registration, connection, method, target, truncated, answer } = delivery;
  return {
    type: 'delivery',
    id,
    registration,
    connection,
    startedAt: new Date(delivery.startedAt).toISOString(),
    durationMs: delivery.receivedAt - delivery.startedAt,
    request: {
      method,
      target,
      // The line is redacted as a whole; only credentials that are not known need a look of their own.
      headers: delivery.headers.map((header) => {
        const [name, value] = header;
        return isCredential(name) ? [name, shownHeader(name, value, keeper.redactor)] : header;
      }),
      body: recordIncoming(id, delivery, keeper),
      truncated,
    },
    answer,
    ...(violated.length === 0 ? {} : { violated }),
  };
}

function withoutKey(headers: Headers, key: string | null): Headers {
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'x-api-key'
      ? [name, value === '' ? '' : `‹key ${key ?? 'unknown'}›`]
      : [name, value],
  );
}

/** A body that came: of what was cut off, the beginning; of what came before, where it stands. */
function recordIncoming(
  id: string,
  { body, truncated }: { readonly body: Uint8Array; readonly truncated: boolean },
  { redactor, bodies }: Keeper,
): RecordedBody {
  const kept = truncated ? body.subarray(0, keptOfTruncated) : body;
  const place = bodies.placeOf(kept, id);
  return place === null ? recordBody(kept, redactor) : sameAs(place, kept.length);
}

function recordBody(body: Uint8Array | null, redactor: Redactor): RecordedBody {
  if (body === null) return null;
  const bytes = bufferOf(body);
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  // Bytes that are no text may still hold a secret in their readable parts.
  return { base64: Buffer.from(redactor.redact(bytes.toString('latin1')), 'latin1').toString('base64') };
}
