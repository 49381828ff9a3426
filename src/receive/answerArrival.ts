import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../core/clock.ts';
import type { SinkLimits } from './limits.ts';
import type { ScriptedAnswer } from './script.ts';

/** One request on its connection, to be answered or broken off. */
export interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reset: () => void;
  readonly clock: Clock;
  /** Aborts when the sink closes: then silence ends, and a delayed answer is given at once. */
  readonly closing: AbortSignal;
  readonly limits: Pick<SinkLimits, 'silenceMs'>;
}

/** Answers as the script says; the returned promise, if any, resolves when that is done. */
export function answerArrival(answer: ScriptedAnswer, wire: OpenRequest): Promise<void> | null {
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
