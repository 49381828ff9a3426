import { onceForBytes, utf8TextOf } from '../core/bytes.ts';
import type { Delivery, Exchange, Headers, RecordedRequest } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import { redactBytes } from '../core/redactBytes.ts';
import type { Note } from '../trace/evidence.ts';
import {
  lineOfNote,
  sameAs,
  type DeliveryLine,
  type EventLine,
  type ExchangeLine,
  type SendingLine,
} from './journalLine.ts';
import { RecordedBodies } from './sharedBodies.ts';
import { isCredential, shownHeader } from './shownHeader.ts';

/** A request that is about to be sent, as far as it is known at that time. */
export type Intent = Pick<Exchange, 'id' | 'check' | 'operation' | 'enterprise' | 'key' | 'request'>;

/** The journal keeps only the beginning of a body that was too long to be read completely. */
const keptOfTruncated = 1 << 16;

/** Most strings, and the longest ones, whose JSON form is cached because they keep recurring. */
const mostKept = 4096;
const longestKept = 200;

/**
 * The text of the lines of a journal, with labels in place of secrets; each line comes in a few parts that are written one after
 * another. A run spends as much time here as on judging. So each body is searched for secrets as it is, before JSON escapes it;
 * a request that was noted before it was sent is not converted to text again; and header fields, which rarely change from one
 * exchange to the next, are looked up.
 */
export class JournalText {
  readonly #redactor: Redactor;
  readonly #bodies = new RecordedBodies();
  /** Requests that were noted and are under way. A WeakMap would cost the collector more. */
  readonly #noted = new Map<RecordedRequest, Noted>();
  readonly #kept = new Map<string, string>();
  /** The JSON form of a body. */
  #texts: (body: Uint8Array) => string = (body) => this.#textOf(body);
  /** The latest value of a header field, and its JSON form. */
  readonly #fields = new Map<string, Field>();
  #keptSince = -1;
  #second = Number.NaN;
  #untilSecond = '';

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  exchange(exchange: Exchange, violated: readonly string[]): readonly string[] {
    const { id, outcome, timings } = exchange;
    const { sentAt, receivedAt, sent, received } = timings;
    const durationMs = Math.round((received - sent) * 1000) / 1000;
    const times = `"durationMs":${durationMs},"timings":[${sentAt},${receivedAt},${sent},${received}]`;
    const head = this.#head('exchange', exchange, sentAt);
    const request = this.#noteOf(exchange) ?? this.#request(exchange);
    const isFailure = outcome.kind === 'failure';
    const last =
      !isFailure && violated.length === 0
        ? '"failure":null}'
        : this.#closed({ failure: isFailure ? outcome.failure : null, ...violatedOf(violated) });
    const start = `${head},${times},"request":${request.before}`;
    if (isFailure) return [start, request.key, request.after, request.body, `},"response":null,${last}`];
    const { status, headers, truncated } = outcome.response;
    return [
      start,
      request.key,
      request.after,
      request.body,
      `},"response":{"status":${status},"headers":[${this.#headers(headers)}],"body":`,
      this.#incoming(id, outcome.response),
      `,"truncated":${truncated}},${last}`,
    ];
  }

  /** A request that is about to be sent; its exchange must have the same request object. */
  sending(at: number, intent: Intent): readonly string[] {
    const request = this.#request(intent);
    this.#noted.set(intent.request, request);
    return [
      `${this.#head('sending', intent, at)},"request":${request.before}`,
      request.key,
      request.after,
      request.body,
      '}}',
    ];
  }

  delivery(delivery: Delivery, violated: readonly string[]): readonly string[] {
    const { id, registration, connection, method, target, truncated, answer } = delivery;
    const durationMs = JSON.stringify(delivery.receivedAt - delivery.startedAt);
    const place = `"registration":${this.#quoted(registration)},"connection":${this.#quoted(connection)}`;
    const times = `"startedAt":"${this.#instant(delivery.startedAt)}","durationMs":${durationMs}`;
    // Only unknown credentials need special treatment.
    const headers: Headers = delivery.headers.map((header) =>
      isCredential(header[0]) ? [header[0], shownHeader(header[0], header[1], this.#redactor)] : header,
    );
    const request = `"method":${this.#quoted(method)},"target":${this.#quoted(target)}`;
    return [
      `{"type":"delivery","id":${JSON.stringify(id)},${place},${times},`,
      `"request":{${request},"headers":[${this.#headers(headers)}],"body":`,
      this.#incoming(id, delivery),
      `,"truncated":${truncated}},`,
      violated.length === 0 ? `"answer":${this.#quoted(answer)}}` : this.#closed({ answer, violated }),
    ];
  }

  event(at: number, name: string, data: Readonly<Record<string, unknown>>): readonly string[] {
    const line: EventLine = { type: 'event', at: new Date(at).toISOString(), name, data };
    return [this.#redactor.redact(JSON.stringify(line))];
  }

  note(note: Note): readonly string[] {
    return [this.#redactor.redact(JSON.stringify(lineOfNote(note)))];
  }

  #head(type: (ExchangeLine | SendingLine)['type'], intent: Intent, at: number): string {
    const { id, check, operation, enterprise, key } = intent;
    const startedAt = this.#instant(at);
    const names = `"id":"${id}","check":${this.#quoted(check)},"operation":${this.#quoted(operation)}`;
    const owner = `"enterprise":${this.#quoted(enterprise)},"key":${this.#quoted(key)}`;
    return `{"type":"${type}",${names},${owner},"startedAt":"${startedAt}"`;
  }

  /** The note of a request, unless a secret has become known since. */
  #noteOf({ request }: Exchange): Noted | null {
    const noted = this.#noted.size === 0 ? undefined : this.#noted.get(request);
    if (noted) this.#noted.delete(request);
    return noted?.version === this.#redactor.version ? noted : null;
  }

  /** A request whose key label is kept apart: one character beyond Latin-1 makes a whole string slow. */
  #request({ request, key }: Intent): Noted {
    const { version } = this.#redactor;
    const { method, baseUrl, target, headers, body } = request;
    const start = `{"method":${this.#quoted(method)},"url":${this.#quoted(baseUrl + target)},"headers":[`;
    const shown = this.#body(body);
    const end = '],"body":';
    const own = headers.find(isKeyHeader);
    if (own === undefined)
      return { version, before: start, key: '', after: `${this.#headers(headers)}${end}`, body: shown };
    const label = `‹key ${key ?? 'unknown'}›`;
    let before = '';
    let after = '';
    let isBehind = false;
    for (const header of headers) {
      if (header === own) isBehind = true;
      else if (!isBehind) before += `${this.#header(header)},`;
      else after += `,${this.#header(isKeyHeader(header) && header[1] !== '' ? [header[0], label] : header)}`;
    }
    return {
      version,
      before: `${start}${before}[${this.#quoted(own[0])},`,
      key: this.#quoted(own[1] === '' ? '' : label),
      after: `]${after}${end}`,
      body: shown,
    };
  }

  #headers(headers: Headers): string {
    let text = '';
    for (const header of headers) text += text === '' ? this.#header(header) : `,${this.#header(header)}`;
    return text;
  }

  /** Most fields are the same as in the message before. No destructuring here: V8 takes far longer to compile it. */
  #header(header: Headers[number]): string {
    const { version } = this.#redactor;
    const known = this.#fields.get(header[0]);
    if (known?.value === header[1] && known.version === version) return known.text;
    const field = {
      version,
      value: header[1],
      text: `[${this.#quoted(header[0])},${this.#quoted(header[1])}]`,
    };
    if (header[0].length > longestKept || header[1].length > longestKept) return field.text;
    if (this.#fields.size >= mostKept) this.#fields.clear();
    this.#fields.set(header[0], field);
    return field.text;
  }

  /** An incoming body: the beginning if it was cut off, a reference if it was recorded before. */
  #incoming(
    id: string,
    { body, truncated }: { readonly body: Uint8Array; readonly truncated: boolean },
  ): string {
    const kept = truncated ? body.subarray(0, keptOfTruncated) : body;
    const place = this.#bodies.placeOf(kept, id);
    return place === null ? this.#body(kept) : JSON.stringify(sameAs(place, kept.length));
  }

  #body(body: Uint8Array | null): string {
    if (body === null) return 'null';
    if (this.#keptSince !== this.#redactor.version) this.#forget();
    return this.#texts(body);
  }

  #textOf(body: Uint8Array): string {
    const text = utf8TextOf(body);
    if (text !== null) return `{"text":${JSON.stringify(this.#redactor.redact(text))}}`;
    // Bytes that are not text may still contain a secret in their readable parts.
    const clean = redactBytes(body, (readable) => this.#redactor.redact(readable));
    return JSON.stringify({ base64: clean.toString('base64') });
  }

  /** A short string as JSON, cached until another secret becomes known. */
  #quoted(text: string | null): string {
    if (text === null) return 'null';
    if (text.length > longestKept) return JSON.stringify(this.#redactor.redact(text));
    if (this.#keptSince !== this.#redactor.version) this.#forget();
    if (this.#kept.size >= mostKept) this.#kept.clear();
    let quoted = this.#kept.get(text);
    if (quoted === undefined) {
      quoted = JSON.stringify(this.#redactor.redact(text));
      this.#kept.set(text, quoted);
    }
    return quoted;
  }

  /** Another secret has become known. */
  #forget(): void {
    this.#kept.clear();
    this.#texts = onceForBytes((body) => this.#textOf(body));
    this.#keptSince = this.#redactor.version;
  }

  /** `2026-11-22T15:40:12.345Z`; everything but the milliseconds is computed once a second. */
  #instant(at: number): string {
    const second = Math.floor(at / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#untilSecond = new Date(second * 1000).toISOString().slice(0, -4);
    }
    return this.#untilSecond + (milliseconds[Math.floor(at) - second * 1000] ?? '');
  }

  /** The last members of an object, and its closing brace. */
  #closed(object: Partial<ExchangeLine | DeliveryLine>): string {
    return this.#redactor.redact(JSON.stringify(object)).slice(1);
  }
}

interface Field {
  readonly version: number;
  readonly value: string;
  readonly text: string;
}

/** A request as JSON, in four parts and a last brace; the second is the value of its key's header. */
interface Noted {
  /** Version of the redactor when it was made. */
  readonly version: number;
  readonly before: string;
  readonly key: string;
  readonly after: string;
  readonly body: string;
}

/** What an instant ends with. */
const milliseconds = Array.from({ length: 1000 }, (_, number) => `${String(number).padStart(3, '0')}Z`);

function violatedOf(violated: readonly string[]): { readonly violated?: readonly string[] } {
  return violated.length === 0 ? {} : { violated };
}

const keyHeader = 'x-api-key';

function isKeyHeader(header: Headers[number]): boolean {
  return header[0].length === keyHeader.length && header[0].toLowerCase() === keyHeader;
}
