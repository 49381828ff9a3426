import type { Exchange, RecordedRequest } from '../core/evidence.ts';
import { onceForLatest } from '../core/latest.ts';
import { operations, type OperationId } from '../core/operations.ts';
import { bodyOf, responseOf, valueNamed, type Json, type JsonObject } from './body.ts';
import { keyStateOf, type KeyState } from './keyState.ts';
import { membersOf, partsOf, type SentPart } from './parts.ts';
import { objectIn, queryMembers } from './sent.ts';

/**
 * How a request carries its input; `unread` where its content type and its bytes do not agree, or where it cannot be read in
 * one way only: nobody knows what a deployment makes of it.
 */
export type Carrier = 'json' | 'multipart' | 'query' | 'unread';

/** A request to a documented operation and what came back, read once for all who judge it. */
export interface Call {
  readonly exchange: Exchange;
  readonly op: OperationId;
  readonly carrier: Carrier;
  /** The enterprise of its key; null where it has no active one, or nobody says whose it is. */
  readonly enterprise: string | null;
  readonly keyState: KeyState;
  /** The object that its body is, or that its parts make; an `unread` one may have a JSON object all the same. Null for any other. */
  readonly body: JsonObject | null;
  /** The parameters of its query; what is sent repeatedly is a list. */
  readonly query: JsonObject;
  /** The parts of a multipart body in their order; none of any other. */
  readonly parts: readonly SentPart[];
  /** Those of them that are files. */
  readonly files: readonly SentPart[];
  /** Null where no answer came. */
  readonly status: number | null;
  /** The JSON value of the answer; undefined where none came, or it is anything else. */
  readonly answer: Json | undefined;
  /** Epoch milliseconds; what overlaps is told by the monotonic times of the exchange. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** An exchange as a call of its operation; null for a request to anything that is not documented. */
export const callOf = onceForLatest(read);

function read(exchange: Exchange): Call | null {
  const { operation: op, enterprise, request, timings } = exchange;
  if (op === null) return null;
  const response = responseOf(exchange);
  const { carrier, body, parts } = operations[op].method === 'GET' ? ofQuery : contentOf(op, request);
  const answer = response && bodyOf(response);
  // No spread: this is made for every exchange.
  return {
    exchange,
    op,
    carrier,
    enterprise,
    keyState: keyStateOf(exchange),
    body,
    query: queryMembers(request),
    parts,
    files: parts === noParts ? noParts : parts.filter(({ isFile }) => isFile),
    status: response?.status ?? null,
    answer: answer?.kind === 'json' ? answer.value : undefined,
    sentAt: timings.sentAt,
    receivedAt: timings.receivedAt,
  };
}

type Content = Pick<Call, 'carrier' | 'body' | 'parts'>;

const noParts: readonly SentPart[] = Object.freeze([]);
const ofQuery: Content = { carrier: 'query', body: null, parts: noParts };

function contentOf(op: OperationId, { body, headers }: RecordedRequest): Content {
  const type = valueNamed(headers, 'content-type') ?? '';
  const object = body && objectIn(body);
  const isJson = object !== null && /^application\/json\b/i.test(type);
  if (body === null || object !== null)
    return { carrier: isJson ? 'json' : 'unread', body: object, parts: noParts };
  // Flight Alerts reads JSON only.
  const parts = operations[op].api === 'webcheckin' ? partsOf(body, type) : null;
  return parts
    ? { carrier: 'multipart', body: membersOf(parts), parts }
    : { carrier: 'unread', body: null, parts: noParts };
}
