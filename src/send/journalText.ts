import { bufferOf, utf8TextOf } from '../core/bytes.ts';
import type { Delivery, Exchange, Headers, RecordedRequest } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import {
  sameAs,
  type DeliveryLine,
  type EventLine,
  type ExchangeLine,
  type SendingLine,
} from './journalLine.ts';
import { RecordedBodies } from './longBodies.ts';
import { isCredential, shownHeader } from './shownHeader.ts';

/** A request that is about to be sent, as far as it is known then. */
export type Intent = Pick<Exchange, 'id' | 'check' | 'operation' | 'enterprise' | 'key' | 'request'>;

/** Of a body that is longer than is read, the journal keeps the beginning. */
const keptOfTruncated = 1 << 16;

/**
 * The text of the lines of a journal, with labels in place of secrets; each line in a few parts, which are one line when
 * they are written one after another. A run spends more time on this than on judging, so each body is searched for secrets as
 * it is, before JSON escapes it, and a request that was noted before it left is not made into text again.
 */
export class JournalText {
  readonly #redactor: Redactor;
  readonly #bodies = new RecordedBodies();
  /** Requests that were noted, with what was known of secrets then. */
  readonly #noted = new WeakMap<RecordedRequest, { readonly version: number; readonly text: string }>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  exchange(exchange: Exchange, violated: readonly string[]): readonly string[] {
    const { id, check, operation, enterprise, key, outcome, timings } = exchange;
    const startedAt = new Date(timings.sentAt).toISOString();
    const durationMs = Math.round((timings.received - timings.sent) * 1000) / 1000;
    const head = { type: 'exchange' as const, id, check, operation, enterprise, key, startedAt, durationMs };
    const failure = outcome.kind === 'failure' ? outcome.failure : null;
    const tail = { failure, ...(violated.length === 0 ? {} : { violated }) };
    return [
      `${this.#open(head satisfies Partial<ExchangeLine>)},"request":`,
      this.#noteOf(exchange) ?? this.#request(exchange),
      ',"response":',
      outcome.kind === 'failure' ? 'null' : this.#response(id, outcome.response),
      `,${this.#closed(tail satisfies Partial<ExchangeLine>)}`,
    ];
  }

  /** What is about to leave; the request has to be that of the exchange that comes of it. */
  sending(at: number, intent: Intent): readonly string[] {
    const { id, check, operation, enterprise, key } = intent;
    const startedAt = new Date(at).toISOString();
    const head = { type: 'sending' as const, startedAt, id, check, operation, enterprise, key };
    const { version } = this.#redactor;
    const text = this.#request(intent);
    this.#noted.set(intent.request, { version, text });
    return [`${this.#open(head satisfies Partial<SendingLine>)},"request":`, text, '}'];
  }

  delivery(delivery: Delivery, violated: readonly string[]): readonly string[] {
    const { id, registration, connection, method, target, truncated, answer } = delivery;
    const startedAt = new Date(delivery.startedAt).toISOString();
    const durationMs = delivery.receivedAt - delivery.startedAt;
    const head = { type: 'delivery' as const, id, registration, connection, startedAt, durationMs };
    // Each line is redacted as a whole; only credentials that are not known need a look of their own.
    const headers: Headers = delivery.headers.map((header) => {
      const [name, value] = header;
      return isCredential(name) ? [name, shownHeader(name, value, this.#redactor)] : header;
    });
    const request: Omit<DeliveryLine['request'], 'body' | 'truncated'> = { method, target, headers };
    return [
      `${this.#open(head satisfies Partial<DeliveryLine>)},"request":${this.#open(request)},"body":`,
      this.#incoming(id, delivery),
      `,"truncated":${truncated}},`,
      this.#closed({
        answer,
        ...(violated.length === 0 ? {} : { violated }),
      } satisfies Partial<DeliveryLine>),
    ];
  }

  event(at: number, name: string, data: Readonly<Record<string, unknown>>): readonly string[] {
    const line: EventLine = { type: 'event', at: new Date(at).toISOString(), name, data };
    return [this.#redactor.redact(JSON.stringify(line))];
  }

  /** What was noted of a request, unless a secret has become known since. */
  #noteOf({ request }: Exchange): string | null {
    const noted = this.#noted.get(request);
    return noted?.version === this.#redactor.version ? noted.text : null;
  }

  #request({ request, key }: Intent): string {
    const { method, baseUrl, target, headers, body } = request;
    const head = { method, url: baseUrl + target, headers: withoutKey(headers, key) };
    return `${this.#open(head satisfies Partial<ExchangeLine['request']>)},"body":${this.#body(body)}}`;
  }

  #response(
    id: string,
    response: Extract<Exchange['outcome'], { readonly kind: 'response' }>['response'],
  ): string {
    const { status, headers, truncated } = response;
    return `${this.#open({ status, headers })},"body":${this.#incoming(id, response)},"truncated":${truncated}}`;
  }

  /** A body that came: of what was cut off, the beginning; of what came before, where it stands. */
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
    const text = utf8TextOf(body);
    if (text !== null) return `{"text":${JSON.stringify(this.#redactor.redact(text))}}`;
    // Bytes that are no text may still hold a secret in their readable parts.
    const readable = this.#redactor.redact(bufferOf(body).toString('latin1'));
    return JSON.stringify({ base64: Buffer.from(readable, 'latin1').toString('base64') });
  }

  /** An object as JSON, to which further members are added. */
  #open(object: object): string {
    return this.#redactor.redact(JSON.stringify(object)).slice(0, -1);
  }

  /** The last members of an object, and its end. */
  #closed(object: object): string {
    return this.#redactor.redact(JSON.stringify(object)).slice(1);
  }
}

function withoutKey(headers: Headers, key: string | null): Headers {
  return headers.map((header) => {
    const [name, value] = header;
    if (name.length !== keyHeader.length || name.toLowerCase() !== keyHeader) return header;
    return [name, value === '' ? '' : `‹key ${key ?? 'unknown'}›`];
  });
}

const keyHeader = 'x-api-key';
