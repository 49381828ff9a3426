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
  /** Aborts when the sink closes: silence ends then, a slow answer is given at once. */
  readonly closing: AbortSignal;
  readonly limits: Pick<SinkLimits, 'silenceMs'>;
}

/** Does with a connection what the script says; resolves when that is done. */
export async function answerArrival(answer: ScriptedAnswer, wire: OpenRequest): Promise<void> {
  switch (answer.kind) {
    case 'status':
      if (answer.delayMs !== undefined && answer.delayMs > 0) await pause(answer.delayMs, wire);
      respond(answer, wire);
      return;
    case 'silence':
      await pause(wire.limits.silenceMs, wire);
      wire.request.socket.destroy();
      return;
    case 'reset':
      wire.reset();
      return;
    case 'close-early':
      wire.request.socket.destroy();
  }
}

/** Ends early when the sender goes away or the sink closes. */
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
  // A body that was left on the wire would be taken for the next request.
  const last = !request.complete || closing.aborted;
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  if (!empty) fields.push('content-length', String(Buffer.byteLength(body)));
  if (last) fields.push('connection', 'close');
  response.writeHead(status, fields);
  response.end(empty ? undefined : body);
}
