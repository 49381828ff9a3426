import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { Headers } from '../core/evidence.ts';
import { answerArrival, type OpenRequest } from './answerArrival.ts';
import type { Connections } from './connections.ts';
import type { Inbox } from './inbox.ts';
import type { SinkLimits } from './limits.ts';
import { readBody } from './readBody.ts';
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
