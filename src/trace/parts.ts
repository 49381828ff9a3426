import { isUtf8 } from 'node:buffer';
import { bufferOf } from '../core/bytes.ts';
import { isTooDeep } from '../core/tooDeep.ts';
import type { Json, JsonObject } from './body.ts';

/** One part of a multipart request. */
export interface SentPart {
  readonly name: string;
  /** Its header fields, as they were sent. */
  readonly head: string;
  /** What it says: JSON where the documents want JSON, else a text; undefined for a file. */
  readonly value: Json | undefined;
  readonly isFile: boolean;
  /** A text part whose text was sent in quotes, as JSON. */
  readonly isQuoted: boolean;
  readonly content: Uint8Array;
}

/** The parts that carry JSON text (Multipart encoding). */
const jsonParts: ReadonlySet<string> = new Set(['flights', 'passengers', 'callbackData', 'payload']);

/** Header fields of one part, in bytes. */
const longestHead = 2_000;

/** The parts of a multipart body in their order; null where they cannot be read in one way only. */
export function partsOf(body: Uint8Array, contentType: string): readonly SentPart[] | null {
  const boundary = boundaryIn(contentType);
  const contents = boundary === null ? null : split(bufferOf(body), boundary);
  const parts = contents?.map(readPart) ?? [];
  const names = new Set(parts.map((part) => part?.name));
  return names.size < parts.length || parts.length === 0 || !parts.every((part) => part !== null)
    ? null
    : parts;
}

/** What no reader can make parts or JSON of: the body as a whole, or the part of that name; null where one may. */
export function brokenIn(body: Uint8Array, contentType: string): { readonly part: string | null } | null {
  const boundary = boundaryIn(contentType);
  if (boundary === null) return /^multipart\/form-data\s*$/i.test(contentType) ? { part: null } : null;
  const bytes = bufferOf(body);
  const pieces = split(bytes, boundary);
  if (pieces === null) return bytes.includes(`--${boundary}--`) ? null : { part: null };
  for (const piece of pieces) {
    const [head = '', name] = headOf(piece) ?? [];
    const text = piece.subarray(head.length + 4);
    if (name === undefined || isFileHead(head)) continue;
    if (jsonParts.has(name) && isUtf8(text) && !isTooDeep(text) && parsed(text.toString()) === undefined)
      return { part: name };
  }
  return null;
}

/** The boundary that a content type names, in quotes or not (RFC 2046, 5.1.1); null for none that all readers agree on. */
function boundaryIn(contentType: string): string | null {
  const [, quoted, bare] =
    /^multipart\/form-data;\s*boundary=(?:"([^"]+)"|([^\s;,"]+))$/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? '';
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : null;
}

/** What the parts say, but for the files. */
export function membersOf(parts: readonly SentPart[]): JsonObject {
  return Object.fromEntries(
    parts.filter(({ isFile }) => !isFile).map(({ name, value }) => [name, value] as const),
  );
}

/**
 * What stands between the boundaries, in raw bytes, so that files stay whole; null without a first or a last boundary. What stands
 * before the first and after the last says nothing (RFC 2046, 5.1.1).
 */
function split(body: Buffer, boundary: string): readonly Buffer[] | null {
  const [first, next] = [`--${boundary}`, `\r\n--${boundary}`];
  const begin = startsWith(body, first, 0) ? 0 : body.indexOf(next) + 2;
  if (begin === 1) return null;
  const pieces: Buffer[] = [];
  let start = begin + first.length;
  for (;;) {
    if (startsWith(body, '--', start)) return pieces;
    const end = body.indexOf(next, start);
    if (end < 0 || !startsWith(body, '\r\n', start)) return null;
    pieces.push(body.subarray(start + 2, end));
    start = end + next.length;
  }
}

function startsWith(body: Buffer, text: string, at: number): boolean {
  return body.toString('latin1', at, at + text.length) === text;
}

function readPart(piece: Buffer): SentPart | null {
  const [head, name] = headOf(piece) ?? [];
  if (head === undefined || name === undefined) return null;
  const content = piece.subarray(head.length + 4);
  const isFile = isFileHead(head);
  return isFile
    ? { name, head, content, isFile, isQuoted: false, value: undefined }
    : readText(name, head, content);
}

const isFileHead = (head: string) => /filename\*?=/i.test(head);

/** The header fields of a part, and its name. */
function headOf(piece: Buffer): readonly [head: string, name: string | undefined] | null {
  const end = piece.indexOf('\r\n\r\n');
  if (end < 0 || end > longestHead) return null;
  const head = piece.toString('latin1', 0, end);
  const [, quoted, bare] =
    /content-disposition:[^\r\n]*?[;\s]name=(?:"([^"]*)"|([^\s;"]+))/i.exec(head) ?? [];
  return [head, quoted ?? bare];
}

/** A text in quotes is the same text; whether a deployment reads it so is another matter. */
function readText(name: string, head: string, content: Buffer): SentPart | null {
  if (!isUtf8(content)) return null;
  const told = content.toString('utf8');
  const isQuoted = told.startsWith('"');
  const isJson = jsonParts.has(name) || /^".*"$/.test(told);
  const value = isJson ? parsed(told) : told;
  return value === undefined ? null : { name, head, content, isFile: false, isQuoted, value };
}

function parsed(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What about a multipart body may differ from the plainest way to write it, where its media type allows both. */
export const framingTraits = [
  'boundary-with-capitals',
  'boundary-of-other-characters',
  'boundary-of-more-than-60-characters',
  'boundary-that-begins-with-a-digit',
  'boundary-that-begins-with-hyphens',
  'part-header-in-other-case',
  'part-name-without-quotes',
  'part-header-before-its-name',
  'part-type-with-charset',
  'part-with-further-headers',
  'text-before-the-parts',
  'text-behind-the-parts',
  'no-line-end-at-the-end',
  'file-name-beyond-ascii',
  'file-name-without-quotes',
  'file-name-with-backslash',
] as const;

/** What its media type does not allow, or what is left open: a service may refuse it. */
export const doubtfulTraits = ['file-name-with-charset', 'file-without-bytes', 'file-of-other-type'] as const;

type FramingTrait = (typeof framingTraits)[number] | (typeof doubtfulTraits)[number];

/** The traits of a multipart body whose parts were read. */
export function framingOf(
  body: Uint8Array,
  contentType: string,
  parts: readonly SentPart[],
): readonly FramingTrait[] {
  const boundary = boundaryIn(contentType) ?? '';
  const [start, end] = [`--${boundary}`, `--${boundary}--`];
  const bytes = bufferOf(body);
  const rest = bytes.toString('latin1', bytes.lastIndexOf(end) + end.length);
  const has = (form: RegExp) => parts.some(({ head }) => form.test(head));
  const files = parts.filter(({ isFile }) => isFile);
  const found: Readonly<Record<FramingTrait, boolean>> = {
    'boundary-with-capitals': /[A-Z]/.test(boundary),
    'boundary-of-other-characters': /[^\w-]/.test(boundary),
    'boundary-of-more-than-60-characters': boundary.length > 60,
    'boundary-that-begins-with-a-digit': /^\d/.test(boundary),
    'boundary-that-begins-with-hyphens': boundary.startsWith('--'),
    'part-header-in-other-case': has(/^(content|CONTENT|Content-[a-zA-Z]*[A-Z]{2})/m),
    'part-name-without-quotes': has(/;\s*name=[^"]/i),
    'part-header-before-its-name': has(/^(?!content-disposition:)/i),
    'part-type-with-charset': has(/^content-type:.*charset/im),
    'part-with-further-headers': has(/^(?!content-(disposition|type):)[\w-]+:/im),
    'text-before-the-parts': bytes.toString('latin1', 0, start.length) !== start,
    'text-behind-the-parts': rest.trim() !== '',
    'no-line-end-at-the-end': rest === '',
    'file-name-beyond-ascii': has(/;\s*filename="[^"]*[^ -~"]/i),
    'file-name-without-quotes': has(/;\s*filename=[^"]/i),
    'file-name-with-backslash': has(/;\s*filename="[^"]*\\/i),
    'file-name-with-charset': has(/;\s*filename\*=/i),
    'file-without-bytes': files.some(({ content }) => content.length === 0),
    'file-of-other-type': files.some(({ head }) => !/^content-type:\s*(image|application\/pdf)/im.test(head)),
  };
  return [...framingTraits, ...doubtfulTraits].filter((trait) => found[trait]);
}
