import type { Headers } from '../core/evidence.ts';
import type { Claimed, Note, Step } from '../trace/evidence.ts';

/** Bytes as recorded: as text if they are valid UTF-8, else as base64. Secrets are replaced by labels first. */
export type RecordedBody =
  { readonly text: string; readonly same?: SameBody } | { readonly base64: string } | null;

/** A long body that is already recorded under another id; the text says so to people. */
export interface SameBody {
  /** The message that had it first; of an exchange, its answer. */
  readonly id: string;
  readonly bytes: number;
}

/** A reference to a long body that is recorded under an id. */
export function sameAs(id: string, bytes: number): NonNullable<RecordedBody> {
  return { text: `(the same ${bytes} bytes as in ${id})`, same: { id, bytes } };
}

/** The incoming body of a line: of the answer, or of the callback itself. */
export function incomingBody(line: ExchangeLine | DeliveryLine): RecordedBody {
  if (line.type === 'exchange') return line.response?.body ?? null;
  // A journal that was edited may lack required parts.
  return (line.request as DeliveryLine['request'] | undefined)?.body ?? null;
}

/** The id under which the body of a line is recorded; null if it is in the line itself. */
export function placeOfBody(line: ExchangeLine | DeliveryLine): string | null {
  const body = incomingBody(line);
  return body !== null && 'same' in body ? body.same.id : null;
}

/** The same line with another body. */
export function withIncoming<T extends ExchangeLine | DeliveryLine>(line: T, body: RecordedBody): T {
  if (line.type === 'delivery') return { ...line, request: { ...line.request, body } };
  return { ...line, response: line.response && { ...line.response, body } };
}

/** A line about a message on the wire; null for any other. */
export function messageOf(line: JournalLine): ExchangeLine | DeliveryLine | null {
  return line.type === 'exchange' || line.type === 'delivery' ? line : null;
}

/** Puts bodies that are recorded under other ids back in place; a line whose source is missing stays as it is. */
export function withBodies<T>(lines: readonly T[], of: (line: T) => ExchangeLine | DeliveryLine | null): T[] {
  const bodies = new Map<string, RecordedBody>();
  return lines.map((one) => {
    const line = of(one);
    if (line === null) return one;
    const place = placeOfBody(line);
    if (place === null) bodies.set(line.id, incomingBody(line));
    const body = place === null ? undefined : bodies.get(place);
    return body === undefined ? one : (withIncoming(line, body) as T);
  });
}

/** One line of `evidence.ndjson`. */
export type JournalLine = ExchangeLine | DeliveryLine | EventLine | SendingLine | StepLine | ClaimLine;

export interface ExchangeLine {
  readonly type: 'exchange';
  readonly id: string;
  readonly check: string;
  readonly operation: string | null;
  readonly enterprise: string | null;
  readonly key: string | null;
  /** ISO 8601 UTC instant at which the request was sent. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** `sentAt`, `receivedAt`, `sent` and `received` of its timings, unrounded; journals of older versions have none. */
  readonly timings?: readonly [sentAt: number, receivedAt: number, sent: number, received: number];
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: RecordedBody;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Headers;
    readonly body: RecordedBody;
    readonly truncated: boolean;
  } | null;
  readonly failure: {
    readonly reason: string;
    readonly message: string;
    readonly maybeDelivered: boolean;
  } | null;
  /** Ids of the requirements that the passive oracles saw violated. */
  readonly violated?: readonly string[];
}

/** A request that may leave something behind, written before it is sent; its exchange follows, unless the run is killed. */
export type SendingLine = { readonly type: 'sending' } & Pick<
  ExchangeLine,
  'id' | 'check' | 'operation' | 'enterprise' | 'key' | 'startedAt' | 'request'
>;

export interface DeliveryLine {
  readonly type: 'delivery';
  readonly id: string;
  /** Token of the mailbox that it was sent to. */
  readonly registration: string;
  /** Identifies the connection within the run. */
  readonly connection: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Headers;
    readonly body: RecordedBody;
    readonly truncated: boolean;
  };
  /** What the sink answered, or how it broke the connection. */
  readonly answer: string;
  readonly violated?: readonly string[];
}

export interface EventLine {
  readonly type: 'event';
  readonly at: string;
  /** Name of the run event, such as `check-finished` or `waiting`. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the state handler did. */
export interface StepLine extends Omit<Step, 'startedAt' | 'endedAt'> {
  readonly startedAt: string;
  readonly durationMs: number;
}

/** What only the run knew. */
export type ClaimLine = { readonly type: 'claim'; readonly at: string } & Claimed;

/** The line of what was not on the wire. */
export function lineOfNote(note: Note): StepLine | ClaimLine {
  if (note.type === 'claim') return { ...note, at: new Date(note.at).toISOString() };
  const { startedAt, endedAt, type, id, ...rest } = note;
  return {
    ...{ type, id, startedAt: new Date(startedAt).toISOString(), durationMs: endedAt - startedAt },
    ...rest,
  };
}

/** A line of a journal as far as every reader relies on it; null for what was cut short, damaged, or is none. */
export function journalLineOf(text: string): JournalLine | null {
  const value = objectOf(text);
  if (value === null) return null;
  return isLine(value) ? (value as unknown as JournalLine) : null;
}

function isLine(value: Unknown): boolean {
  if (value.type === 'event') return isEvent(value);
  if (value.type === 'step') return isInstant(value.startedAt) && typeof value.operation === 'string';
  if (value.type === 'claim') return isInstant(value.at) && typeof value.claim === 'string';
  return messageTypes.has(value.type) && isMessage(value);
}

type Unknown = Readonly<Record<string, unknown>>;

const messageTypes: ReadonlySet<unknown> = new Set(['exchange', 'sending', 'delivery']);

function objectOf(text: string): Unknown | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEvent({ at, name, data }: Unknown): boolean {
  return isInstant(at) && typeof name === 'string' && isObject(data);
}

function isMessage({ type, id, check, startedAt, durationMs, request, response = null }: Unknown): boolean {
  // A callback belongs to no check, and a note of a request that was about to be sent has no duration yet.
  const hasOwn = type === 'delivery' || typeof check === 'string';
  const isTimed = type === 'sending' || typeof durationMs === 'number';
  if (!hasOwn || !isTimed || typeof id !== 'string' || !isInstant(startedAt)) return false;
  const isAnswer = isObject(response) && typeof response.status === 'number' && isContent(response);
  return (
    isObject(request) &&
    typeof request.method === 'string' &&
    isContent(request) &&
    (response === null || isAnswer)
  );
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isContent({ headers, body }: Unknown): boolean {
  const isFields =
    Array.isArray(headers) && headers.every((field) => Array.isArray(field) && field.length === 2);
  return isFields && (body === null || isObject(body));
}
