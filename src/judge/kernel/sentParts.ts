import type { RecordedRequest } from '../../core/evidence.ts';
import { onceForLatest } from '../../core/latest.ts';
import { valueNamed, type Json, type JsonObject } from './body.ts';
import { digestOf } from './digest.ts';
import { requestObject } from '../../trace/sent.ts';

/** A multipart request as an oracle compares it with others. */
interface SentParts {
  /** What its parts say: the named ones are JSON, the others texts. */
  readonly members: JsonObject;
  readonly boundary: string;
  /** The same for requests whose parts have the same header fields, and files the same content. */
  readonly form: string;
}

/** What a request says, as JSON or by parts; null where it cannot be read in one way only. */
export function sentMembers(request: RecordedRequest): JsonObject | null {
  return requestObject(request) ?? sentParts(request)?.members ?? null;
}

/** The parts of a multipart request; null for any other, and where its parts cannot be read in one way only. */
export function sentParts({ body, headers }: RecordedRequest): SentParts | null {
  if (body === null || body.length > mostBytes || body[0] !== hyphen) return null;
  const type = valueNamed(headers, 'content-type') ?? '';
  const boundary = /^multipart\/form-data;\s*boundary="?([\w'-]+)"?$/i.exec(type)?.[1];
  const parts = boundary === undefined ? null : partsIn(body);
  return parts?.boundary === boundary ? parts : null;
}

const hyphen = 0x2d;

/** Larger bodies hold files, which a comparison is not worth reading for. */
const mostBytes = 256 * 1024;

/** Header fields of one part, in bytes. */
const longestHead = 2_000;

/** The parts that carry JSON text (Multipart encoding). */
const jsonParts: ReadonlySet<string> = new Set(['flights', 'passengers', 'callbackData', 'payload']);

const partsIn = onceForLatest((body: Uint8Array): SentParts | null => {
  // One byte a character, so that files stay whole.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const boundary = /^--([^\r\n]{1,200})\r\n/.exec(text)?.[1] ?? '';
  const pieces = boundary === '' ? [] : `\r\n${text}`.split(`\r\n--${boundary}`);
  if (pieces.length < 3 || pieces.at(-1)?.startsWith('--') !== true) return null;
  const parts = pieces.slice(1, -1).map(readPart);
  const names = parts.map((part) => part?.name);
  return new Set(names).size < names.length || !parts.every((part) => part !== null)
    ? null
    : { ...joined(parts), boundary };
});

interface Part {
  readonly name: string;
  readonly head: string;
  readonly value: Json;
  readonly isFile: boolean;
}

function joined(parts: readonly Part[]): Omit<SentParts, 'boundary'> {
  const told = parts.filter(({ isFile }) => !isFile).map(({ name, value }) => [name, value] as const);
  const heads = parts.map(({ head, isFile, value }) => (isFile ? [head, value] : [head]));
  return { members: Object.fromEntries(told), form: digestOf(heads) };
}

function readPart(piece: string): Part | null {
  const end = piece.indexOf('\r\n\r\n');
  if (end < 0 || end > longestHead || !piece.startsWith('\r\n')) return null;
  const head = piece.slice(2, end);
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  const content = piece.slice(end + 4);
  if (name === undefined) return null;
  if (/filename\*?=/i.test(head)) return { name, head, value: content, isFile: true };
  const told = Buffer.from(content, 'latin1').toString('utf8');
  const isJson = jsonParts.has(name) || /^".*"$/.test(told);
  const value = isJson ? parsed(told) : told;
  // A text in quotes is the same text; whether a deployment reads it is another matter.
  return value === null
    ? null
    : { name, head: told.startsWith('"') ? `${head} quoted` : head, value, isFile: false };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
