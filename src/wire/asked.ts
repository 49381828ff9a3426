import type { Headers } from '../core/evidence.ts';
import { operationIds, operations, type OperationId } from '../core/operations.ts';
import type { WireRequest } from '../send/transport.ts';
import {
  isMembers,
  isSame,
  readJson,
  readJsonText,
  textOf,
  writeJson,
  type Json,
  type JsonObject,
} from './json.ts';
import { fieldOf, readParts, writeParts, type Part } from './multipart.ts';

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
