import type { IncomingMessage } from 'node:http';
import type { Conventions } from './conventions.ts';
import { invalid, Refusal } from './refusal.ts';

const limit = 10 * 2 ** 20;

/** The whole body, or a refusal once it is longer than the deployment reads. */
export async function readBytes(request: IncomingMessage, { tooLarge }: Conventions): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= limit) parts.push(part);
  }
  if (length > limit) throw new Refusal(tooLarge, 'VALIDATION_ERROR', 'The body is larger than 10 MiB.');
  return Buffer.concat(parts);
}

/** `name=value&…`, each name with its values in order. */
export function readQuery(text: string, using: Conventions): ReadonlyMap<string, string> {
  const all = new Map<string, string[]>();
  for (const pair of text.split('&').filter(Boolean)) {
    const at = pair.indexOf('=');
    const name = unescape(at < 0 ? pair : pair.slice(0, at), using);
    const value = unescape(at < 0 ? '' : pair.slice(at + 1), using);
    all.set(name, [...(all.get(name) ?? []), value]);
  }
  return new Map([...all].map(([name, values]) => [name, oneOf(name, values, using)]));
}

function unescape(text: string, { badEscape }: Conventions): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    if (badEscape === 400) throw invalid('query', 'The query has an invalid percent-encoding.');
    return spaced;
  }
}

function oneOf(name: string, values: readonly string[], { repeatedQuery, trimming }: Conventions): string {
  if (values.length > 1 && repeatedQuery === 'refuse')
    throw invalid(name, `${name} is given more than once.`);
  const index = repeatedQuery === 'last' ? values.length - 1 : 0;
  const one = repeatedQuery === 'joined' ? values.join(',') : (values[index] ?? '');
  return trimming && name !== 'departureDate' ? one.trim() : one;
}

export interface Form {
  fields: Map<string, string>;
  files: Set<string>;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function readUtf8(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw invalid('body', 'The body is not UTF-8.');
  }
}

export function readJson(text: string, what = 'body'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(what, `The ${what} is not valid JSON.`);
  }
}

/** The parts of a multipart body: fields by name, and the names of files. */
export function readForm(bytes: Buffer, type: string, { badUpload }: Conventions): Form {
  const boundary = /boundary=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/iu.exec(type);
  const mark = (boundary?.[1]?.replace(/\\(.)/gu, '$1') ?? boundary?.[2] ?? '').trim();
  const failed = new Refusal(
    badUpload,
    badUpload === 400 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR',
    'The upload cannot be read.',
  );
  if (mark === '') throw failed;
  const body = `\r\n${bytes.toString('latin1')}`;
  const pieces = body.split(
    new RegExp(`\\r\\n--${mark.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?=--|[ \\t]*\\r\\n)`, 'u'),
  );
  if (pieces.length < 2 || !pieces.at(-1)?.startsWith('--')) throw failed;
  const form: Form = { fields: new Map(), files: new Set() };
  for (const piece of pieces.slice(1, -1)) addPart(form, piece, failed);
  return form;
}

function addPart(form: Form, piece: string, failed: Refusal): void {
  const start = piece.indexOf('\r\n');
  const end = piece.indexOf('\r\n\r\n', start);
  if (start < 0 || end < 0) throw failed;
  const head = piece.slice(start, end + 2).replace(/\r\n[ \t]+/gu, ' ');
  const disposition = /\r\ncontent-disposition:([^\r\n]*)/iu.exec(head)?.[1] ?? '';
  const name = parameter(disposition, 'name');
  if (name === undefined) throw failed;
  const isFile = /;\s*filename\*?=/iu.test(disposition);
  if (isFile) form.files.add(name);
  else form.fields.set(name, readUtf8(Buffer.from(piece.slice(end + 4), 'latin1')));
}

function parameter(text: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'iu').exec(text);
  const value = found?.[1]?.replace(/\\(.)/gu, '$1') ?? found?.[2];
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}

/** The JSON object of a body, whether it comes as JSON or as a form with JSON in its parts. */
export function readPayload(
  bytes: Buffer,
  type: string | undefined,
  jsonParts: readonly string[],
  using: Conventions,
): { body: Record<string, unknown>; files: Set<string>; isForm: boolean } {
  if (type !== undefined && /^\s*multipart\/form-data\s*(;|$)/iu.test(type)) {
    const { fields, files } = readForm(bytes, type, using);
    const read = ([name, text]: [string, string]): [string, unknown] => [
      name,
      jsonParts.includes(name) ? readJson(text, name) : text,
    ];
    return { body: Object.fromEntries([...fields].map(read)), files, isForm: true };
  }
  refuseType(type, using);
  const body = readJson(readUtf8(bytes));
  if (!isObject(body)) throw invalid('body', 'The body is not a JSON object.');
  return { body: using.trimming ? (trimmed(body) as typeof body) : body, files: new Set(), isForm: false };
}

function refuseType(type: string | undefined, { mediaType, noMediaType }: Conventions): void {
  const isJson =
    type === undefined ? noMediaType === 'json' : /^\s*application\/(?:[\w.+-]+\+)?json\s*(;|$)/iu.test(type);
  if (isJson || (mediaType === 'any' && type !== undefined)) return;
  throw new Refusal(
    mediaType === 415 ? 415 : 400,
    'VALIDATION_ERROR',
    'The body has to be application/json.',
  );
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kept = new Set(['fid', 'auth_header', 'callbackUrl', 'departureDate']);

/** Every text without blanks at its ends, but those that are sent on exactly. */
function trimmed(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return kept.has(name) ? value : value.trim();
  if (Array.isArray(value)) return value.map((each) => trimmed(each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each, key)]));
}
