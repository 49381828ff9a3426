import { operationIds, operations, type OperationId } from '../../core/operations.ts';
import type { ExchangeLine, JournalLine } from '../../send/journalLine.ts';
import { isNote, type Evidence } from '../../trace/evidence.ts';
import { asDelivery, callbackAddresses, looksLikeCallback } from './callbacks.ts';
import { keyOfHolder, type Holders } from './holders.ts';
import { deliveryOf, exchangeOf, type Recorded } from './lineEvidence.ts';
import { ownEvidence } from './ownLines.ts';
import { isPlaceholder } from './placeholder.ts';
import type { TrafficFile } from './recording.ts';

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
