import type { Delivery, Evidence, Exchange, TransportFailure } from '../../core/evidence.ts';
import { operationIds, operations, type OperationId } from '../../core/operations.ts';
import type { DeliveryLine, ExchangeLine, RecordedBody } from '../../send/journalLine.ts';
import { asDelivery, callbackAddresses, looksLikeCallback } from './callbacks.ts';
import { keyOfHolder, type Holders } from './holders.ts';
import { isPlaceholder } from './placeholder.ts';
import type { TrafficFile } from './recording.ts';

/** A piece of evidence with what is known of how it was recorded. */
export interface Recorded {
  readonly evidence: Evidence;
  readonly isOwn: boolean;
  /** Whether credentials stand in its recording as they were on the wire. */
  readonly showsCredentials: boolean;
  /** How far the state handler had moved the target's clock; left out where the recording does not say. */
  readonly movedMs?: number;
}

/** How much later than recorded an answer may have come, in milliseconds: recorders round, and their clocks differ. */
const roundingMs = 5;
const otherClockMs = 2000;

/** The exchanges and callbacks of all recordings, in the order in which they came to their end. */
export function exchangesOf(recordings: readonly TrafficFile[], holders: Holders): readonly Recorded[] {
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
  const names = recording.lines.map((line) => {
    if (line.type === 'event' || line.type === 'sending') return '';
    const { startedAt, durationMs, request } = line;
    const address = line.type === 'exchange' ? line.request.url : line.request.target;
    const answer = line.type === 'exchange' ? (line.response?.status ?? 0) : line.answer;
    return line.type === 'delivery'
      ? `${line.id} ${startedAt} ${address}`
      : [startedAt, durationMs, request.method, address, answer].join(' ');
  });
  const lines = recording.lines.filter(
    (_line, index) => names[index] !== '' && !seen.has(names[index] ?? ''),
  );
  for (const name of names) seen.add(name);
  return { ...recording, lines };
}

function endOf(evidence: Evidence): number {
  return 'timings' in evidence ? evidence.timings.receivedAt : evidence.receivedAt;
}

function ownEvidence({ lines, movedMs }: TrafficFile, prefix: string): readonly Recorded[] {
  const shared = { isOwn: true, showsCredentials: false };
  return lines.flatMap((line): Recorded[] => {
    if (line.type === 'delivery') return [{ ...shared, evidence: deliveryOf(line, prefix) }];
    if (line.type !== 'exchange') return [];
    const named = line.operation as OperationId | null;
    const operation = named !== null && operationIds.includes(named) ? named : null;
    const evidence = exchangeOf(line, { operation, prefix, slackMs: 0 });
    // A journal says so, and a HAR does not.
    return [{ ...shared, evidence, ...(movedMs && { movedMs: movedMs.get(line.id) ?? 0 }) }];
  });
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
  const showsCallbackKeys = callbacks.some(({ request }) => showsCredential(request.headers));
  const isCallback = new Set(callbacks);
  return lines.flatMap((line): Recorded[] => {
    if (isCallback.has(line)) {
      const evidence = deliveryOf(asDelivery(line, addresses), prefix);
      return [{ evidence, isOwn: false, showsCredentials: showsCallbackKeys }];
    }
    const operation = operationOf(line);
    if (operation === null) return [];
    const exchange = exchangeOf(showsKeys ? line : withHiddenKey(line), { operation, prefix, slackMs });
    return [{ evidence: { ...exchange, ...holders.of(line) }, isOwn: false, showsCredentials: showsKeys }];
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

interface Placed {
  readonly operation: OperationId | null;
  readonly prefix: string;
  readonly slackMs: number;
}

/** A line of a recording as evidence. */
export function exchangeOf(line: ExchangeLine, { operation, prefix, slackMs }: Placed): Exchange {
  const sentAt = Date.parse(line.startedAt);
  const receivedAt = sentAt + line.durationMs + slackMs;
  const { request, response, failure } = line;
  return {
    ...{ id: prefix + line.id, check: line.check, operation, enterprise: line.enterprise, key: line.key },
    request: {
      method: request.method,
      ...addressOf(request.url, operation),
      headers: request.headers,
      body: request.body === null ? null : bytesOf(request.body),
    },
    outcome: response
      ? { kind: 'response', response: { ...response, body: bytesOf(response.body) } }
      : { kind: 'failure', failure: failure as TransportFailure },
    timings: { sentAt, receivedAt, sent: sentAt, received: receivedAt },
  };
}

/** The base address is what stands before the path of the operation. */
function addressOf(recorded: string, operation: OperationId | null) {
  const url = recorded.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
  const start = operation === null ? -1 : url.indexOf(operations[operation].path);
  if (start >= 0) return { baseUrl: url.slice(0, start), target: url.slice(start) };
  const origin = URL.parse(url)?.origin ?? '';
  return { baseUrl: origin, target: url.slice(origin.length) };
}

function deliveryOf(line: DeliveryLine, prefix: string): Delivery {
  const startedAt = Date.parse(line.startedAt);
  const { request, registration, connection, answer } = line;
  return {
    ...{ id: prefix + line.id, registration, connection, answer },
    ...{ method: request.method, target: request.target, headers: request.headers },
    ...{ body: bytesOf(request.body), truncated: request.truncated },
    ...{ startedAt, receivedAt: startedAt + line.durationMs },
  };
}

function bytesOf(body: RecordedBody): Uint8Array {
  if (body === null) return new Uint8Array();
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : Buffer.from(body.text);
}
