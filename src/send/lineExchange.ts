import type { Exchange, TransportFailure } from '../core/evidence.ts';
import { operations, type OperationId } from '../core/operations.ts';
import type { ExchangeLine, RecordedBody } from './journalLine.ts';

interface Placed {
  readonly operation: OperationId | null;
  readonly prefix?: string;
  readonly slackMs?: number;
}

/** A line of a recording as evidence. */
export function exchangeOf(line: ExchangeLine, { operation, prefix = '', slackMs = 0 }: Placed): Exchange {
  const sentAt = Date.parse(line.startedAt);
  const receivedAt = sentAt + line.durationMs + slackMs;
  const [at, until, sent, received] = line.timings ?? [sentAt, receivedAt, sentAt, receivedAt];
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
    timings: { sentAt: at, receivedAt: until, sent, received },
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

/** The bytes of a recorded body. */
export function bytesOf(body: RecordedBody): Uint8Array {
  if (body === null) return new Uint8Array();
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : Buffer.from(body.text);
}
