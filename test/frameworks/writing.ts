import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Conventions } from './conventions.ts';

const escaped = (text: string, which: RegExp): string =>
  text.replace(which, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(/\n\s*/gu, ' ').replaceAll('[ ', '[').replaceAll('{ ', '{');

const writers: Record<Conventions['json'], (value: unknown) => string> = {
  plain: (value) => JSON.stringify(value),
  spaced,
  indented: (value) => JSON.stringify(value, null, 2),
  slashes: (value) => escaped(JSON.stringify(value).replaceAll('/', '\\/'), /[\u007f-\uffff]/gu),
  ascii: (value) => escaped(JSON.stringify(value), /[\u007f-\uffff+&<>']/g),
  html: (value) => escaped(JSON.stringify(value), /[<>&\u2028\u2029]/g),
  sorted: (value) => JSON.stringify(value, sorted),
  line: (value) => `${JSON.stringify(value)}\n`,
};

export const writeJson = (value: unknown, { json }: Conventions): string => writers[json](value);

type Fields = Record<string, string>;

const added: Record<Conventions['headers'], () => Fields> = {
  none: () => ({}),
  spring: () => ({
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '0',
    'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
    pragma: 'no-cache',
    expires: '0',
    'x-frame-options': 'DENY',
  }),
  rails: () => ({
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'max-age=0, private, must-revalidate',
    'x-request-id': randomBytes(16).toString('hex'),
    'x-runtime': '0.004217',
    vary: 'Accept, Origin',
  }),
  laravel: () => ({
    'x-powered-by': 'PHP/8.3.6',
    'cache-control': 'no-cache, private',
    'access-control-allow-origin': '*',
  }),
  aspnet: () => ({ server: 'Kestrel' }),
  uvicorn: () => ({ server: 'uvicorn' }),
  django: () => ({
    vary: 'Accept, Cookie',
    allow: 'GET, POST, HEAD, OPTIONS',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  }),
};

const titled = (name: string): string => name.replace(/(^|-)[a-z]/gu, (start) => start.toUpperCase());

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Fields;
}

function notModified(request: IncomingMessage, answer: Answer, tag: string): boolean {
  const asked = request.headers['if-none-match'];
  if (request.method !== 'GET' || answer.status !== 200 || asked === undefined) return false;
  const plain = (text: string): string => text.trim().replace(/^W\//u, '');
  return asked.split(',').map(plain).includes(plain(tag));
}

function contentType(status: number, { jsonType, errorType }: Conventions): string {
  return status >= 400 && errorType !== 'same' ? errorType : jsonType;
}

function compressed(request: IncomingMessage, bytes: Buffer, { gzip }: Conventions): boolean {
  if (gzip === 'never' || (gzip === 'large' && bytes.length < 1_024)) return false;
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/iu.test(request.headers['accept-encoding'] ?? '');
}

/** Sends an answer with the header fields, framing and encoding of this deployment. */
export function write(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  using: Conventions,
): void {
  const fields: Fields = { ...added[using.headers](), ...answer.headers };
  let bytes = Buffer.alloc(0);
  let { status } = answer;
  if (answer.body !== undefined) {
    bytes = Buffer.from(writeJson(answer.body, using));
    fields['content-type'] = contentType(status, using);
  }
  if (using.etag !== 'none' && status === 200 && request.method !== 'POST' && answer.body !== undefined) {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    fields.etag = using.etag === 'weak' ? `W/"${hash}"` : `"${hash}"`;
    if (notModified(request, answer, fields.etag)) {
      status = 304;
      bytes = Buffer.alloc(0);
      delete fields['content-type'];
    }
  }
  if (bytes.length > 0 && compressed(request, bytes, using)) {
    bytes = gzipSync(bytes);
    fields['content-encoding'] = 'gzip';
    fields.vary = fields.vary === undefined ? 'Accept-Encoding' : `${fields.vary}, Accept-Encoding`;
  }
  const hasBody = status !== 204 && status !== 304;
  if (using.framing === 'length' && hasBody) fields['content-length'] = String(bytes.length);
  for (const [name, value] of Object.entries(fields)) {
    response.setHeader(using.headerNames === 'title' ? titled(name) : name, value);
  }
  response.sendDate = using.dateHeader;
  if (using.keepAliveMs === 0) response.setHeader('Connection', 'close');
  else if (!using.keepAliveHint) response.removeHeader('connection');
  response.writeHead(status);
  // A body given to end() at once would get a length.
  if (hasBody && using.framing === 'chunked' && request.method !== 'HEAD') response.write(bytes);
  response.end(using.framing === 'chunked' || !hasBody ? undefined : bytes);
}
