import type { Exchange, Headers } from '../../../src/core/evidence.ts';
import { operations, type OperationId } from '../../../src/core/operations.ts';
import type { Judgement } from '../../../src/judge/kernel/judgement.ts';
import { samplesOf } from '../../../src/judge/kernel/oracle.ts';
import { oracles } from '../../../src/judge/oracles.ts';

/** What a test says of an exchange; everything else is filled in as a conforming server would answer. */
export interface ExchangeSketch {
  readonly operation: OperationId | null;
  readonly status?: number;
  /** A JSON value, or text or bytes as they are. */
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly truncated?: boolean;
  /** Beside the documented ones of such an answer, and in place of those of the same name; null leaves one out. */
  readonly headers?: readonly (readonly [name: string, value: string | null])[];
  readonly query?: string;
  readonly sent?: unknown;
  readonly sentRaw?: string;
  readonly requestHeaders?: Headers;
  readonly enterprise?: string | null;
  readonly key?: string | null;
  /** Milliseconds since the start of the test; `at` is when it was sent, 100 ms before it was received. */
  readonly at?: number;
  readonly until?: number;
  /** No response came. */
  readonly lost?: boolean;
}

export const testStart = Date.parse('2026-03-01T12:00:00.000Z');
let count = 0;

/** What a request has to ask for to be valid. */
const usualQuery: Readonly<Partial<Record<OperationId, string>>> = {
  'wci.status': 'checkin_id=chk-1234567890',
  'fla.lookup': 'flightNumber=EK3&departureDate=2026-03-09',
};

/** An exchange as the journal holds it. */
export function exchange(sketch: ExchangeSketch): Exchange {
  count += 1;
  const { method, path } = operations[sketch.operation ?? 'wci.status'];
  const query = sketch.query ?? usualQuery[sketch.operation ?? 'wci.status'];
  const sent = sketch.at ?? count * 1000;
  const received = sketch.until ?? sent + 100;
  const key = sketch.key === undefined ? 'primary#1' : sketch.key;
  return {
    id: `x${count}`,
    check: 'test',
    operation: sketch.operation,
    enterprise: sketch.enterprise === undefined ? 'primary' : sketch.enterprise,
    key,
    request: {
      method,
      baseUrl: 'http://127.0.0.1:1',
      target: path + (query === undefined ? '' : `?${query}`),
      headers: sketch.requestHeaders ?? (key === null ? [] : [['X-API-Key', `secret of ${key}`]]),
      body: requestBody(sketch),
    },
    outcome: sketch.lost
      ? { kind: 'failure', failure: { reason: 'timeout', message: 'no answer', maybeDelivered: true } }
      : { kind: 'response', response: response(sketch, received) },
    timings: { sentAt: testStart + sent, receivedAt: testStart + received, sent, received },
  };
}

function requestBody({ sent, sentRaw }: ExchangeSketch): Uint8Array | null {
  if (sentRaw !== undefined) return Buffer.from(sentRaw);
  return sent === undefined ? null : Buffer.from(JSON.stringify(sent));
}

function response(sketch: ExchangeSketch, received: number) {
  const { raw } = sketch;
  const bytes = Buffer.from(raw ?? (sketch.body === undefined ? '' : JSON.stringify(sketch.body)));
  return {
    status: sketch.status ?? 200,
    headers: headersOf(sketch, new Date(testStart + received)),
    body: new Uint8Array(bytes),
    truncated: sketch.truncated ?? false,
  };
}

function headersOf({ operation, status, headers = [] }: ExchangeSketch, date: Date): Headers {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual = [...documentedHeaders(operation, status), ['Date', date.toUTCString()] as const];
  return [
    ...usual.filter(([name]) => !named.has(name.toLowerCase())),
    ...headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  ];
}

/** The header fields that the documents ask of an answer. */
export function documentedHeaders(operation: OperationId | null, status = 200): Headers {
  const isLookup = operation === 'fla.lookup' && status === 200;
  return [
    ['Content-Type', 'application/json; charset=utf-8'],
    ...(isLookup ? [['Cache-Control', 'no-store'] as const] : []),
  ];
}

/** The requirements of which the last exchange of a sequence was a sample, by what all oracles said of it. */
interface Samples {
  readonly holds: readonly string[];
  readonly violated: readonly string[];
  readonly unclear: readonly string[];
  readonly notApplicable: readonly string[];
}

/** Judges a sequence by fresh oracles, all of them together, and sorts what they say of its last exchange. */
export function judgeLast(...sequence: readonly Exchange[]): Samples {
  const watches = oracles.map(({ createWatch }) => createWatch());
  const samples = sequence.map((one) => watches.flatMap((watch) => samplesOf(watch, one))).at(-1) ?? [];
  const ids = (status: Judgement['status']) => {
    const those = samples.filter(({ judgement }) => judgement.status === status);
    return [...new Set(those.map(({ requirement }) => requirement))].sort();
  };
  return {
    holds: ids('holds'),
    violated: ids('violated'),
    unclear: ids('unclear'),
    notApplicable: ids('not-applicable'),
  };
}
