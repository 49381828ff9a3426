import type { Headers, RecordedResponse } from '../core/evidence.ts';
import { operationIds, operations, type OperationId } from '../core/operations.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';
import {
  isMembers,
  isSame,
  readJson,
  readJsonText,
  textOf,
  writeJson,
  type Json,
  type JsonObject,
  type Wire,
} from './json.ts';
import type { Clock } from '../core/clock.ts';
import type { Admission, ReceivedRequest } from '../receive/inbox.ts';

/** A request as the wire understands it: what it asks for, and with what. */
interface Asked {
  readonly operation: OperationId | null;
  /** Value of the key's header; null without one. */
  readonly key: string | null;
  /** Parameters of the query, decoded, by name; the first value of each. */
  readonly query: JsonObject;
  /** The JSON body, or the parts of a multipart body by name; undefined where there is none that can be read. */
  readonly body: Json | undefined;
}

export function readRequest(request: WireRequest): Asked {
  const [path = '', query = ''] = request.target.split('?', 2);
  return {
    operation: operationOf(request.method, path),
    key: fieldOf(request.headers, 'x-api-key'),
    query: readQuery(query),
    body: bodyOf(request),
  };
}

/** The request with another body, carried as the one before was. */
export function withBody(request: WireRequest, body: Json): WireRequest {
  const contentType = fieldOf(request.headers, 'content-type') ?? '';
  const parts = request.body === null ? null : readParts(request.body, contentType);
  if (parts === null || !isMembers(body)) return { ...request, body: writeJson(body) };
  const edited = parts.map((part) => editedPart(part, body[part.name]));
  return { ...request, body: writeParts(edited, contentType) };
}

/** The request with another query, in the order of its parameters. */
export function withQuery(request: WireRequest, query: JsonObject): WireRequest {
  const [path = ''] = request.target.split('?', 1);
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`,
  );
  return { ...request, target: `${path}?${pairs.join('&')}` };
}

/** The header fields with another value for one of them, added where there was none; null leaves it out. */
export function withField(headers: Headers, name: string, value: string | null): Headers {
  const rest = headers.filter(([candidate]) => candidate.toLowerCase() !== name);
  const spelled = headers.find(([candidate]) => candidate.toLowerCase() === name)?.[0] ?? name;
  return value === null ? rest : [...rest, [spelled, value]];
}

function operationOf(method: string, path: string): OperationId | null {
  return operationIds.find((id) => operations[id].method === method && operations[id].path === path) ?? null;
}

function bodyOf({ body, headers }: WireRequest): Json | undefined {
  if (body === null || body.length === 0) return undefined;
  const parts = readParts(body, fieldOf(headers, 'content-type') ?? '');
  if (parts === null) return readJson(body);
  return Object.fromEntries(parts.toReversed().map((part) => [part.name, partValue(part)]));
}

/** Parts that hold JSON are read as such, files by their name only. */
function partValue({ isFile, content, name }: Part): Json {
  if (isFile) return `file ${name}`;
  const text = Buffer.from(content).toString('utf8');
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return readJsonText(text);
  } catch {
    return text;
  }
}

function editedPart(part: Part, value: Json | undefined): Part {
  if (value === undefined || isSame(value, partValue(part))) return part;
  return { ...part, content: Buffer.from(textOf(value)) };
}

function readQuery(query: string): JsonObject {
  return Object.fromEntries([...new URLSearchParams(query)].toReversed());
}

/** One part of a multipart body, its header fields as they stood. */
interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly head: string;
  readonly content: Uint8Array;
}

/** The parts of a multipart body; null where it is none, or is broken. */
function readParts(body: Uint8Array, contentType: string): readonly Part[] | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  // One byte a character, so that files stay whole.
  const text = `\r\n${Buffer.from(body).toString('latin1')}`;
  const pieces = text.split(`\r\n--${boundary}`);
  if (pieces.length < 2 || !pieces.at(-1)?.startsWith('--')) return null;
  const parts = pieces.slice(1, -1).map(readPart);
  return parts.every((part) => part !== null) ? parts : null;
}

/** The body of these parts, with the boundary that the content type names. */
function writeParts(parts: readonly Part[], contentType: string): Uint8Array {
  const boundary = boundaryOf(contentType) ?? '';
  const chunks = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, 'latin1'),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The value of a header field, by its name in lower case. */
export function fieldOf(headers: Headers, name: string): string | null {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? null;
}

function boundaryOf(contentType: string): string | null {
  const found = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}

function readPart(piece: string): Part | null {
  const end = piece.indexOf('\r\n\r\n');
  if (!piece.startsWith('\r\n') || end < 0) return null;
  const head = piece.slice(2, Math.max(2, end));
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) return null;
  const content = Buffer.from(piece.slice(end + 4), 'latin1');
  return { name, isFile: /filename=/i.test(head), head, content };
}

/** Changes every answer. */
export function onAnswers(edit: (answer: RecordedResponse, request: WireRequest) => RecordedResponse): Wire {
  return {
    send: (inner) => async (request) => {
      const result = await inner(request);
      return withAnswer(result, (answer) => edit(answer, request));
    },
  };
}

type Store = Admission['record'];

/** Stands before the storing of deliveries: gets what stores them, and the path that they came to. */
export function onRecords(store: (inner: Store, target: string) => Store): Required<Pick<Wire, 'admit'>> {
  return {
    admit: (inner) => (target) => {
      const admission = inner(target);
      return { ...admission, record: store(admission.record, target) };
    },
  };
}

/** Changes every delivery before it is taken. */
export function onDeliveries(edit: (arrival: ReceivedRequest) => ReceivedRequest): Wire {
  return onRecords((store) => (arrival, given) => store(edit(arrival), given));
}

/** Changes the text of all JSON that a deployment sends, in answers and deliveries. */
export function onJsonTexts(edit: (text: string) => string): Wire {
  const editBody = (body: Uint8Array) =>
    readJson(body) === undefined ? body : Buffer.from(edit(Buffer.from(body).toString('utf8')));
  return onBodies(editBody);
}

/** Changes all JSON that a deployment sends, in answers and deliveries. */
export function onJson(edit: (value: Json) => Json): Wire {
  return onBodies((body) => {
    const value = readJson(body);
    if (value === undefined) return body;
    const edited = edit(value);
    return edited === value ? body : writeJson(edited);
  });
}

/** The result with another answer; a failure stays one. */
export function withAnswer(
  result: WireResult,
  edit: (answer: RecordedResponse) => RecordedResponse,
): WireResult {
  if (result.outcome.kind === 'failure') return result;
  return { ...result, outcome: { kind: 'response', response: edit(result.outcome.response) } };
}

/** The result as if its answer had been received just now. */
export function receivedNow(result: WireResult, clock: Clock): WireResult {
  return { ...result, timings: { ...result.timings, receivedAt: clock.now(), received: clock.monotonic() } };
}

function onBodies(edit: (body: Uint8Array) => Uint8Array): Wire {
  const answers = onAnswers((answer) => withBytes(answer, edit(answer.body)));
  const deliveries = onDeliveries((arrival) => withBytes(arrival, edit(arrival.body)));
  return { ...answers, ...deliveries };
}

/** A message with another body; a length that was named is named anew. */
export function withBytes<Message extends Pick<RecordedResponse, 'headers' | 'body'>>(
  message: Message,
  body: Uint8Array,
): Message {
  if (body === message.body) return message;
  const isCounted = fieldOf(message.headers, 'content-length') !== null;
  return {
    ...message,
    body,
    headers: isCounted ? withField(message.headers, 'content-length', String(body.length)) : message.headers,
  };
}
