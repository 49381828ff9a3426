import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Conventions } from './conventions.ts';
import { errorBody, Refusal } from './refusal.ts';

/** As seen over a distance: what arrives while the end of an idle connection is on its way is not read. */
export function closeLate(http: Server, { keepAliveMs, closingMs }: Conventions): void {
  http.keepAliveTimeout = 0;
  http.setMaxListeners(0);
  http.on('connection', (socket) => {
    let timer: NodeJS.Timeout | undefined;
    const close = (): void => {
      socket.pause();
      setTimeout(() => socket.resetAndDestroy(), closingMs);
    };
    http.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.socket !== socket) return;
      clearTimeout(timer);
      response.on('finish', () => (timer = setTimeout(close, keepAliveMs)));
    });
  });
}

/** A request that could not be parsed gets JSON as well. */
export function answerUnread(error: NodeJS.ErrnoException, socket: Socket, conventions: Conventions): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const refusal = new Refusal(
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
    'VALIDATION_ERROR',
    'The request cannot be read.',
  );
  const body = JSON.stringify(errorBody(refusal, '/', Date.now(), conventions));
  const lines = [
    `HTTP/1.1 ${refusal.status} Bad Request`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
