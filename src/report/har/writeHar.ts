import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, Header, PostData, QueryString, Request, Response } from 'har-format';
import {
  journalLineOf,
  type DeliveryLine,
  type ExchangeLine,
  type RecordedBody,
  type SameBody,
} from '../../send/journalLine.ts';
import { writeWhole } from '../writeWhole.ts';
import { readLines } from './readLines.ts';
import type { Headers } from '../../core/evidence.ts';

/** Exports the evidence of a run as HAR 1.2, line by line, so that memory use does not depend on the length of the run. */
export async function writeHar(ndjsonPath: string, harPath: string, version = 'unknown'): Promise<void> {
  await writeWhole(harPath, (temporary) =>
    pipeline(Readable.from(renderHar(readLines(ndjsonPath), version)), createWriteStream(temporary)),
  );
}

async function* renderHar(lines: AsyncIterable<string>, version: string): AsyncGenerator<string> {
  let unread = 0;
  let separator = '\n';
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name: 'gatecheck', version })},"entries":[`;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const entry = renderEntry(line);
    if (entry === unreadable) unread += 1;
    if (typeof entry !== 'string') continue;
    yield separator + entry;
    separator = ',\n';
  }
  // An interrupt may cut the last line short; the rest is still evidence.
  const comment = unread === 0 ? '' : `,"comment":"${unread} unreadable lines of evidence.ndjson left out"`;
  yield `\n]${comment}}}\n`;
}

const unreadable = Symbol('unreadable');

/** Undefined for an event, which a HAR cannot contain. */
function renderEntry(line: string): string | typeof unreadable | undefined {
  const parsed = journalLineOf(line);
  if (parsed === null) return unreadable;
  if (parsed.type === 'exchange') return JSON.stringify(exchangeEntry(parsed));
  return parsed.type === 'delivery' ? JSON.stringify(deliveryEntry(parsed)) : undefined;
}

const httpVersion = 'HTTP/1.1';

/** An exchange as an entry of HAR 1.2; what HAR has no place for is in members with an underscore. */
function exchangeEntry(line: ExchangeLine): Entry {
  return {
    startedDateTime: line.startedAt,
    time: line.durationMs,
    request: request(line.request),
    response: line.response ? response(line.response) : noResponse(line.failure?.message ?? 'no response'),
    cache: {},
    timings: { send: 0, wait: line.durationMs, receive: 0 },
    _kind: 'exchange',
    _id: line.id,
    _check: line.check,
    _operation: line.operation,
    _enterprise: line.enterprise,
    _key: line.key,
    ...(line.response?.truncated ? { _truncated: true } : {}),
    ...(line.failure ? { _failure: line.failure } : {}),
    ...(line.violated ? { _violated: line.violated } : {}),
  };
}

/** A delivery to the callback sink, with what the sink answered. */
function deliveryEntry(line: DeliveryLine): Entry {
  const { method, target, headers, body } = line.request;
  const status = /^[1-5]\d\d/.exec(line.answer)?.[0];
  return {
    startedDateTime: line.startedAt,
    time: 0,
    request: request({ method, url: sinkUrl(target, headers), headers, body }),
    response:
      status === undefined
        ? noResponse(line.answer)
        : response({ status: Number(status), headers: [], body: null }),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    _kind: 'callback',
    _id: line.id,
    _registration: line.registration,
    _target: target,
    ...(line.request.truncated ? { _truncated: true } : {}),
  };
}

type Asked = Pick<ExchangeLine['request'], 'method' | 'url' | 'headers' | 'body'>;

function request({ method, url, headers, body }: Asked): Request & { readonly _url?: string } {
  const address = uriOf(url);
  return {
    method,
    url: address,
    ...(address === url ? {} : { _url: url }),
    httpVersion,
    cookies: [],
    headers: headers.map(toHeader),
    queryString: queryOf(url),
    headersSize: -1,
    bodySize: sizeOf(body),
    ...(body === null ? {} : { postData: postData(body, headers) }),
  };
}

type Answer = Pick<NonNullable<ExchangeLine['response']>, 'status' | 'headers' | 'body'>;

function response({ status, headers, body }: Answer): Response {
  const base64 = body !== null && 'base64' in body;
  return {
    status,
    statusText: '',
    httpVersion,
    cookies: [],
    headers: headers.map(toHeader),
    content: {
      size: sizeOf(body),
      mimeType: valueOf(headers, 'content-type'),
      text: textOf(body),
      ...(base64 ? { encoding: 'base64' } : {}),
      ...sameOf(body),
    },
    redirectURL: uriOf(valueOf(headers, 'location')),
    headersSize: -1,
    bodySize: sizeOf(body),
  };
}

/** Status 0, as browsers write it if no response came. */
function noResponse(why: string): Response & { readonly _error: string } {
  return { ...response({ status: 0, headers: [], body: null }), bodySize: -1, _error: why };
}

function postData(body: NonNullable<RecordedBody>, headers: Headers): PostData {
  const base64 = 'base64' in body ? { _encoding: 'base64' } : {};
  return { mimeType: valueOf(headers, 'content-type'), text: textOf(body), ...base64, ...sameOf(body) };
}

/** A reference to a long body that came more than once. */
function sameOf(body: RecordedBody): { readonly _same?: SameBody } {
  return body !== null && 'same' in body ? { _same: body.same } : {};
}

function toHeader([name, value]: Headers[number]): Header {
  return { name, value };
}

function valueOf(headers: Headers, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

function textOf(body: RecordedBody): string {
  if (body === null) return '';
  return 'base64' in body ? body.base64 : body.text;
}

function sizeOf(body: RecordedBody): number {
  if (body === null) return 0;
  if ('base64' in body) return Buffer.byteLength(body.base64, 'base64');
  return body.same?.bytes ?? Buffer.byteLength(body.text);
}

/** Readers of HAR only accept URIs as addresses: raw text in them, such as the label of a secret, is escaped. */
function uriOf(url: string): string {
  const [origin = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url) ?? [];
  return origin + url.slice(origin.length).toWellFormed().replace(notInUri, encodeURIComponent);
}

const notInUri = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-f]{2})/giu;

function queryOf(url: string): QueryString[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return [...new URLSearchParams(url.slice(start))].map(([name, value]) => ({ name, value }));
}

/** The journal has only the path, since the sink cannot know which scheme a proxy in front of it removed. */
function sinkUrl(target: string, headers: Headers): string {
  if (!target.startsWith('/')) return target;
  return `http://${valueOf(headers, 'host') || 'sink.invalid'}${target}`;
}
