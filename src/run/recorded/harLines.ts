import { z } from 'zod';
import type { Headers } from '../../core/evidence.ts';
import {
  messageOf,
  withBodies,
  type DeliveryLine,
  type ExchangeLine,
  type JournalLine,
  type RecordedBody,
} from '../../send/journalLine.ts';
import { operationOf } from './evidenceOf.ts';
import { keptBody } from './keptBody.ts';
import { LeftOut, type TrafficFile } from './recording.ts';

// HAR 1.2, read as browsers and proxies write it: members that are not needed may be absent or anything.

const header = z.object({ name: z.string(), value: z.string().catch('') });
const maybeHeader = header.nullable().catch(null);
/** One field that cannot be read takes no other with it. */
const headers = z
  .array(maybeHeader)
  .catch([])
  .transform((fields) => fields.filter((field) => field !== null));
const count = z.number().catch(-1);
const maybeText = z.string().optional().catch(undefined);
const maybeSame = z.object({ id: z.string(), bytes: z.number() }).optional().catch(undefined);

const entrySchema = z.object({
  startedDateTime: z.string().refine((value) => !Number.isNaN(Date.parse(value))),
  time: z.number().nonnegative().nullable().catch(null),
  request: z.object({
    method: z.string().min(1),
    url: z.string().refine((value) => URL.canParse(value)),
    _url: maybeText,
    headers,
    queryString: headers,
    bodySize: count.optional(),
    postData: z
      .object({ text: maybeText, _encoding: maybeText, _same: maybeSame })
      .optional()
      .catch(undefined),
  }),
  response: z.object({
    status: z.int().min(0).max(999),
    headers,
    bodySize: count.optional(),
    content: z
      .object({
        size: count.optional(),
        compression: count.optional(),
        mimeType: maybeText,
        text: maybeText,
        encoding: maybeText,
        _same: maybeSame,
      })
      .catch({}),
    _error: maybeText,
    fromCache: z.unknown().optional(),
  }),
  fromCache: z.unknown().optional(),
  _fromCache: z.unknown().optional(),
  _kind: z.enum(['exchange', 'callback']).optional().catch(undefined),
  _id: maybeText,
  _check: maybeText,
  _operation: z.string().nullable().optional().catch(undefined),
  _enterprise: z.string().nullable().optional().catch(undefined),
  _key: z.string().nullable().optional().catch(undefined),
  _truncated: z.boolean().optional().catch(undefined),
  _registration: maybeText,
  _target: maybeText,
  _failure: z
    .object({ reason: z.string(), message: z.string(), maybeDelivered: z.boolean() })
    .optional()
    .catch(undefined),
});

type Entry = z.infer<typeof entrySchema>;

/** The entries of a HAR as lines of a journal; null for JSON that is no HAR. */
export function harLines(value: unknown, path: string): TrafficFile | null {
  const log = z.object({ log: z.object({ entries: z.array(z.unknown()) }) }).safeParse(value);
  if (!log.success) return null;
  const leftOut = new LeftOut();
  const entries = log.data.log.entries.map((entry) => entrySchema.safeParse(entry));
  const isOwn = entries.length > 0 && entries.every(({ data }) => data?._kind !== undefined);
  const showsHosts = entries.some(({ data }) => data && isKeyed(data.request) && namesHost(data.request));
  const lines: JournalLine[] = [];
  for (const [index, { data, error }] of entries.entries()) {
    const line = data === undefined ? whyUnreadable(error) : lineOf(data, index, { isOwn, showsHosts });
    if (typeof line === 'string') leftOut.add(line);
    else lines.push(line);
  }
  const whole = isOwn ? withBodies(lines, messageOf) : lines;
  return { path, lines: whole, isOwn, isJournal: false, leftOut: leftOut.counts };
}

function whyUnreadable({ issues: [issue] }: z.ZodError): string {
  const [first, second] = issue?.path ?? [];
  if (first === 'startedDateTime') return 'entries without a start time';
  return first === 'request' && second === 'url' ? 'requests without an address' : 'unreadable entries';
}

/** The line of an entry, or why it says nothing of the deployment. */
function lineOf(entry: Entry, index: number, { isOwn, showsHosts }: FileTraits): JournalLine | string {
  if (isOwn) return entry._kind === 'callback' ? ownDelivery(entry) : exchangeOf(entry, index, isOwn);
  return whyNot(entry, showsHosts) ?? exchangeOf(entry, index, isOwn);
}

interface FileTraits {
  readonly isOwn: boolean;
  /** Whether requests with a key are recorded with the header that each request has. */
  readonly showsHosts: boolean;
}

function isKeyed({ headers: fields }: Entry['request']): boolean {
  return fields.some(({ name }) => /^x-api-key$/i.test(name));
}

function namesHost({ headers: fields }: Entry['request']): boolean {
  return fields.some(({ name }) => /^(?:host|:authority)$/i.test(name));
}

function whyNot({ request, response, ...entry }: Entry, showsHosts: boolean): string | null {
  // Browsers write down some requests before they know what is sent.
  if (showsHosts && !isKeyed(request) && !namesHost(request))
    return 'requests recorded without all of their headers';
  if (isSet(entry._fromCache) || isSet(entry.fromCache) || isSet(response.fromCache))
    return 'answers from the cache of the client';
  const asked = request.headers.some(({ name }) => /^if-(none-match|modified-since)$/i.test(name));
  if (response.status === 304 && asked) return 'answers that the client had asked to leave out (304)';
  if (response.headers.some(({ name }) => /^non-authoritative-reason$/i.test(name)))
    return 'redirects that the client made up';
  // Every response has a header; without any, it is not known which there were. Of what answers a callback, nobody asks.
  const isCut = response.status > 0 && response.headers.length === 0 && operationOf({ request }) !== null;
  return isCut ? 'answers recorded without headers' : null;
}

function isSet(flag: unknown): boolean {
  return flag !== undefined && flag !== null && flag !== false && flag !== '';
}

function exchangeOf(entry: Entry, index: number, isOwn: boolean): ExchangeLine {
  const { request, response } = entry;
  return {
    type: 'exchange',
    id: entry._id ?? `x${index + 1}`,
    check: entry._check ?? 'recording',
    operation: entry._operation ?? null,
    enterprise: entry._enterprise ?? null,
    key: entry._key ?? null,
    startedAt: new Date(entry.startedDateTime).toISOString(),
    durationMs: entry.time ?? unknownDurationMs,
    request: {
      method: request.method,
      url: isOwn ? (request._url ?? request.url) : addressOf(request),
      headers: headersOf(request.headers),
      body: isOwn
        ? bodyOf(request.postData?.text, request.postData?._encoding)
        : keptBody({ text: request.postData?.text, headers: headersOf(request.headers) }),
    },
    response: response.status === 0 ? null : isOwn ? ownResponseOf(entry) : responseOf(entry),
    failure: response.status > 0 ? null : (entry._failure ?? lost(response._error)),
  };
}

/** The address as it was sent: without a fragment, its origin in one spelling, and with a query that some recorders keep apart. */
function addressOf({ url, queryString }: Entry['request']): string {
  const [address = ''] = url.split('#', 1);
  const sent = address.replace(/^https?:\/\/[^/?#]*/i, (start) => URL.parse(start)?.origin ?? start);
  if (sent.includes('?') || queryString.length === 0) return sent;
  const query = queryString.map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `${sent}?${query.join('&')}`;
}

/** Long enough that nothing is taken to have come after an exchange whose end is not known. */
const unknownDurationMs = 60_000;

function ownResponseOf({ response, _truncated }: Entry): NonNullable<ExchangeLine['response']> {
  const { content } = response;
  const body = bodyOf(content.text, content.encoding, content._same);
  const bytes = body === null ? 0 : (content._same?.bytes ?? byteLength(body));
  return {
    status: response.status,
    headers: headersOf(response.headers),
    body,
    truncated: _truncated ?? bytes < (content.size ?? 0),
  };
}

function responseOf({ response }: Entry): NonNullable<ExchangeLine['response']> {
  const { status, content } = response;
  const fields = headersOf(response.headers);
  const body = keptBody({ ...content, headers: fields });
  const bytes = body === null ? 0 : byteLength(body);
  const isMissing = body === null ? !isEmpty(response) : bytes === 0 && (response.bodySize ?? 0) > 0;
  // Some count the compressed bytes, which of a short text are more than it has.
  const size = (content.size ?? 0) + Math.min(0, content.compression ?? 0);
  return { status, headers: fields, body, truncated: isMissing || bytes < size };
}

/** A recorder that keeps no contents leaves the text out, or empty; that there was none shows elsewhere. */
function isEmpty({ status, headers: fields, content, bodySize }: Entry['response']): boolean {
  const length = fields.find(({ name }) => /^content-length$/i.test(name))?.value;
  return status === 204 || length === '0' || (content.size === 0 && bodySize === 0 && length === undefined);
}

function ownDelivery(entry: Entry): DeliveryLine {
  const { request, response } = entry;
  return {
    type: 'delivery',
    id: entry._id ?? '',
    registration: entry._registration ?? '',
    connection: '',
    startedAt: new Date(entry.startedDateTime).toISOString(),
    durationMs: 0,
    request: {
      method: request.method,
      target: entry._target ?? pathOf(request.url),
      headers: headersOf(request.headers),
      body: bodyOf(request.postData?.text, request.postData?._encoding, request.postData?._same),
      truncated: entry._truncated ?? false,
    },
    answer: response.status === 0 ? (response._error ?? 'no answer') : String(response.status),
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** HTTP/2 has fields of its own that begin with a colon, which some recorders write among the headers. */
function headersOf(fields: readonly { readonly name: string; readonly value: string }[]): Headers {
  return fields
    .filter(({ name }) => !name.startsWith(':'))
    .map(({ name, value }): [string, string] => [name, value]);
}

function bodyOf(
  text: string | undefined,
  encoding: string | undefined,
  same?: { readonly id: string; readonly bytes: number },
): RecordedBody {
  if (text === undefined) return null;
  if (encoding === 'base64') return { base64: text };
  return same === undefined ? { text } : { text, same };
}

function byteLength(body: NonNullable<RecordedBody>): number {
  return 'base64' in body ? Buffer.byteLength(body.base64, 'base64') : Buffer.byteLength(body.text);
}

function lost(message = 'no response was recorded') {
  return { reason: 'other', message, maybeDelivered: true } as const;
}
