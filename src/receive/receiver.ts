import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { Headers } from '../core/evidence.ts';
import type { Connections } from './connections.ts';
import type { Inbox } from './inbox.ts';
import type { SinkLimits } from './limits.ts';
import { answerStatus, type ScriptedAnswer } from './script.ts';

/** Counts of what never became a delivery, and was not acknowledged. */
export interface Refused {
  /** Invalid HTTP, headers too long, or too slow. */
  malformed: number;
  /** The sender went away before its last byte. */
  broken: number;
  /** Closed at once, because there were too many. */
  connections: number;
  /** Ended during the TLS handshake: the sender does not trust the certificate, or needs the connection no longer. */
  handshakes: number;
}

interface ReceiverOptions {
  /** Decides by the path how a request is handled, and stores it. */
  readonly inbox: Pick<Inbox, 'admit'>;
  readonly clock: Clock;
  readonly limits: SinkLimits;
  readonly connections: Connections;
  readonly refused: Refused;
  readonly closing: AbortSignal;
}

/** Handles requests one by one, and knows how many are under way. */
export class Receiver {
  readonly #options: ReceiverOptions;
  #underWay = 0;
  #idle: (() => void) | null = null;
  #turn: Promise<void> | null = null;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#take(request, response);
    } catch {
      // A delivery that could not be stored is not acknowledged; whoever stores it reports why.
      request.socket.destroy();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#idle?.();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { inbox, clock, limits, connections, closing, refused } = this.#options;
    const startedAt = clock.now();
    const { socket, method = '', url: target = '' } = request;
    const connection = connections.of(socket);
    const { answer, record, finally: last } = inbox.admit(target);
    const wire: OpenRequest = {
      request,
      response,
      reset: () => connections.reset(socket),
      clock,
      closing,
      limits,
    };
    const early = answer.kind === 'close-early';
    if (!early && request.headers.expect !== undefined) response.writeContinue();
    const read = early ? untouched : await readBody(request, limits);
    if (read === null) {
      refused.broken += 1;
      return;
    }
    const { body, truncated, tooLarge } = read;
    const given: ScriptedAnswer = tooLarge ? answerStatus(413) : answer;
    const receivedAt = clock.now();
    connections.hold(socket, connection);
    const headers = headersOf(request);
    const { id } = connection;
    await record({ method, target, headers, body, truncated, startedAt, receivedAt, connection: id }, given);
    await this.#endOfTurn();
    const answering = answerArrival(last?.() ?? given, wire);
    if (answering !== null) await answering;
    connections.release(socket, connection);
  }

  /** Answers of one turn are sent together: waking the sender for each takes longer than storing it. */
  #endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#turn = null;
        resolve();
      }),
    );
    return this.#turn;
  }
}

const untouched = { body: new Uint8Array(), truncated: true, tooLarge: false };

/** Alternating names and values, as they were on the wire. */
function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

/** One request on its connection, to be answered or broken off. */
interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reset: () => void;
  readonly clock: Clock;
  /** Aborts when the sink closes: then silence ends, and a delayed answer is given at once. */
  readonly closing: AbortSignal;
  readonly limits: Pick<SinkLimits, 'silenceMs'>;
}

/** Answers as the script says; the returned promise, if any, resolves when that is done. */
function answerArrival(answer: ScriptedAnswer, wire: OpenRequest): Promise<void> | null {
  switch (answer.kind) {
    case 'status':
      if (answer.delayMs !== undefined && answer.delayMs > 0)
        return pause(answer.delayMs, wire).then(() => respond(answer, wire));
      respond(answer, wire);
      return null;
    case 'silence':
      return pause(wire.limits.silenceMs, wire).then(() => void wire.request.socket.destroy());
    case 'reset':
      wire.reset();
      return null;
    case 'close-early':
      wire.request.socket.destroy();
      return null;
  }
}

/** Ends early if the sender goes away or the sink closes. */
async function pause(ms: number, { response, clock, closing }: OpenRequest): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  await clock.sleep(ms, AbortSignal.any([closing, gone.signal])).catch(() => undefined);
  response.off('close', leave);
}

function respond(
  { status, headers = [], body = '' }: Extract<ScriptedAnswer, { kind: 'status' }>,
  { request, response, closing }: OpenRequest,
): void {
  if (response.destroyed) return;
  const empty = status === 204 || status === 304;
  // A body left unread would be taken for the next request.
  const last = !request.complete || closing.aborted;
  const fields: string[] = [];
  for (const header of headers) fields.push(header[0], header[1]);
  if (!empty) fields.push('content-length', String(Buffer.byteLength(body)));
  if (last) fields.push('connection', 'close');
  response.writeHead(status, fields);
  response.end(empty ? undefined : body);
}

/** A body, as far as it is stored. */
interface ReadBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** Longer than the sink reads: the rest was not read. */
  readonly tooLarge: boolean;
}

/** Reads a body within the limits; null if the sender goes away before its end. */
function readBody(
  request: IncomingMessage,
  { keptBytes, bodyBytes }: Pick<SinkLimits, 'keptBytes' | 'bodyBytes'>,
): Promise<ReadBody | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let seen = 0;
    const finish = (tooLarge: boolean) => {
      const [only] = chunks;
      const body = chunks.length === 1 && only ? only : Buffer.concat(chunks);
      resolve({ body, truncated: seen > keptBytes, tooLarge });
    };
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      const room = keptBytes - kept;
      if (room > 0) {
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
        chunks.push(part);
        kept += part.length;
      }
      if (seen <= bodyBytes) return;
      request.pause();
      finish(true);
    });
    request.on('end', () => finish(false));
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}
