import { operationIds, operations, type OperationId } from '../../core/operations.ts';
import type { ExchangeLine, JournalLine, DeliveryLine, RecordedBody } from '../../send/journalLine.ts';
import { isNote, type Evidence } from '../../trace/evidence.ts';
import { keyOfHolder, type Holders } from './holders.ts';
import { exchangeOf } from '../../send/lineExchange.ts';
import { deliveryOf, type Recorded } from './lineEvidence.ts';
import { ownEvidence } from './ownLines.ts';
import { isPlaceholder } from './placeholder.ts';
import type { TrafficFile } from './recording.ts';
import { isObject } from '../../judge/kernel/body.ts';
import { tokensOf } from '../../spec/world/addresses.ts';

/** How much later than recorded an answer may have come, in milliseconds: recorders round, and their clocks differ. */
const roundingMs = 5;
const otherClockMs = 2000;

/** The exchanges and callbacks of all recordings, in the order in which they came to their end. */
export function evidenceOf(recordings: readonly TrafficFile[], holders: Holders): readonly Recorded[] {
  const slackMs = recordings.length > 1 ? otherClockMs : roundingMs;
  const seen = new Set<string>();
  const all = recordings.flatMap((recording, index) => {
    const prefix = recordings.length > 1 ? `${index + 1}.` : '';
    const fresh = withoutRepeated(recording, seen);
    return recording.isOwn
      ? ownEvidence(fresh, prefix)
      : foreignEvidence(fresh, { prefix, slackMs, holders });
  });
  // The journal of a run is in that order, where instants of a millisecond cannot show it.
  const isOrdered = recordings.length === 1 && recordings[0]?.isOwn === true;
  return isOrdered ? all : all.toSorted((a, b) => endOf(a.evidence) - endOf(b.evidence));
}

/** The journal and the HAR of one run, or exports that overlap, hold the same exchanges. */
function withoutRepeated(recording: TrafficFile, seen: Set<string>): TrafficFile {
  const all = recording.isOwn ? recording.lines : distinct(recording.lines);
  const names = all.map(nameOf);
  const lines = all.filter((_line, index) => !seen.has(names[index] ?? ''));
  for (const name of names) if (name !== null) seen.add(name);
  return { ...recording, lines };
}

/** An export may hold an entry twice. */
function distinct(lines: readonly JournalLine[]): readonly JournalLine[] {
  return [...new Map(lines.map((line) => [JSON.stringify({ ...line, id: '' }), line])).values()];
}

/** The same for the same message in two files; null for what was not on the wire. */
function nameOf(line: JournalLine): string | null {
  if (line.type === 'delivery') return `${line.id} ${line.startedAt} ${line.request.target}`;
  if (line.type !== 'exchange') return null;
  const { startedAt, durationMs, request, response } = line;
  return [startedAt, durationMs, request.method, request.url, response?.status ?? 0].join(' ');
}

function endOf(evidence: Evidence): number {
  if (isNote(evidence)) return evidence.type === 'step' ? evidence.endedAt : evidence.at;
  return 'timings' in evidence ? evidence.timings.receivedAt : evidence.receivedAt;
}

interface ForeignOptions {
  readonly prefix: string;
  readonly slackMs: number;
  readonly holders: Holders;
}

function foreignEvidence(
  recording: TrafficFile,
  { prefix, slackMs, holders }: ForeignOptions,
): readonly Recorded[] {
  const lines = recording.lines.filter((line) => line.type === 'exchange');
  const addresses = callbackAddresses(lines);
  const showsKeys = lines.some((line) => keyOfHolder(line.request.headers) !== null);
  const callbacks = lines.filter((line) => operationOf(line) === null && looksLikeCallback(line, addresses));
  // A recorder that takes the keys out takes them out of callbacks as well.
  const hasKeys = showsKeys || callbacks.some(({ request }) => keyOfHolder(request.headers) !== null);
  const showsCallbackKeys = hasKeys && callbacks.some(({ request }) => showsCredential(request.headers));
  const isCallback = new Set(callbacks);
  return lines.flatMap((line): Recorded[] => {
    if (isCallback.has(line)) {
      const evidence = deliveryOf(asDelivery(line, addresses), prefix);
      return [{ evidence, isOwn: false, isWhole: false, showsCredentials: showsCallbackKeys }];
    }
    const operation = operationOf(line);
    if (operation === null) return [];
    const exchange = exchangeOf(showsKeys ? line : withHiddenKey(line), { operation, prefix, slackMs });
    const evidence = { ...exchange, ...holders.of(line) };
    return [{ evidence, isOwn: false, isWhole: false, showsCredentials: showsKeys }];
  });
}

interface Addressed {
  readonly request: Pick<ExchangeLine['request'], 'method' | 'url'>;
}

/** The documented operation that a request addresses, by its method and the end of its path. */
export function operationOf({ request }: Addressed): OperationId | null {
  const path = URL.parse(request.url)?.pathname ?? '';
  return (
    operationIds.find(
      (id) => operations[id].method === request.method.toUpperCase() && path.endsWith(operations[id].path),
    ) ?? null
  );
}

/** Where no keys were recorded at all, a request without one may have had one. */
function withHiddenKey(line: ExchangeLine): ExchangeLine {
  const headers = [...line.request.headers, ['X-API-Key', '‹not recorded›'] as const];
  return { ...line, request: { ...line.request, headers } };
}

function showsCredential(headers: ExchangeLine['request']['headers']): boolean {
  return headers.some(([name, value]) => /^(authorization|x-api-key)$/i.test(name) && !isPlaceholder(value));
}

/** The addresses that recorded subscribes registered for callbacks. */
interface CallbackAddresses {
  readonly paths: ReadonlySet<string>;
  /** What a callback is attributed by. */
  readonly tokens: ReadonlySet<string>;
}

/** Every callbackUrl that some recorded subscribe names. */
function callbackAddresses(lines: readonly ExchangeLine[]): CallbackAddresses {
  const urls = lines.flatMap(({ request }) => {
    const text = request.body === null || 'base64' in request.body ? '' : request.body.text;
    return [...text.matchAll(/"callbackUrl"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/g)].map(([, quoted = '']) =>
      unquote(quoted),
    );
  });
  const valid = urls.filter((url) => URL.canParse(url));
  return { paths: new Set(valid.map(pathOf)), tokens: new Set(valid.flatMap(tokensOf)) };
}

/** Whether a recorded request is a callback: sent to a registered address, or of the form of one. */
function looksLikeCallback({ request }: ExchangeLine, { paths }: CallbackAddresses): boolean {
  if (!/^(post|put|patch)$/i.test(request.method)) return false;
  return isEvent(request.body) || paths.has(pathOf(request.url));
}

/** A callback that a recorder saw, at the address that it belongs to. */
function asDelivery(line: ExchangeLine, { tokens }: CallbackAddresses): DeliveryLine {
  const { pathname, search } = new URL(line.request.url);
  const own = tokensOf(line.request.url);
  return {
    type: 'delivery',
    id: line.id,
    registration: own.find((token) => tokens.has(token)) ?? own[0] ?? pathname,
    connection: '',
    startedAt: line.startedAt,
    durationMs: 0,
    request: {
      method: line.request.method,
      target: pathname + search,
      headers: line.request.headers,
      body: line.request.body,
      // A body that was not kept is one that was not read to its end.
      truncated: line.request.body === null,
    },
    answer: line.response === null ? 'no answer' : String(line.response.status),
  };
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '';
}

/** A longer body is no event, and reading every upload twice would take long. */
const longestEvent = 1_000_000;

function isEvent(body: RecordedBody): boolean {
  if (body === null || 'base64' in body || body.text.length > longestEvent) return false;
  try {
    const value: unknown = JSON.parse(body.text);
    return isObject(value) && isObject(value.changes) && ('checkin_id' in value || 'fid' in value);
  } catch {
    return false;
  }
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return '';
  }
}
