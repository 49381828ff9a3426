import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Headers, RecordedResponse } from '../../core/evidence.ts';

/** What is between two neighbours only (RFC 9110, 7.6.1), and what each side of a proxy makes itself. */
const own =
  /^(connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|host|content-length)$/i;

/** The header of a request as it goes on, with the client's order and case. */
export function passedOn({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Headers {
  const all: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    all.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  const named = all.filter(([name]) => /^connection$/i.test(name)).flatMap(([, value]) => value.split(','));
  const dropped = new Set(named.map((name) => name.trim().toLowerCase()));
  return all.filter(([name]) => !own.test(name) && !dropped.has(name.toLowerCase()));
}

/** Gives a client the answer of the target, whose content coding was undone. */
export function answerWith(response: ServerResponse, answer: RecordedResponse, method: string): void {
  if (response.destroyed || response.headersSent) return;
  const isEmpty = method === 'HEAD' || answer.status === 204 || answer.status === 304;
  const kept = answer.headers.filter(([name]) => !own.test(name) && !/^content-encoding$/i.test(name));
  const length: Headers = isEmpty ? [] : [['content-length', String(answer.body.length)]];
  write(response, { status: answer.status, headers: [...kept, ...length] }, isEmpty ? null : answer.body);
}

/** Gives a client an answer of the proxy's own, which its header says. */
export function answerOwn(
  response: ServerResponse,
  status: number,
  { body, because }: { readonly body: string; readonly because: string },
): void {
  if (response.destroyed || response.headersSent) return;
  const headers: Headers = [
    ['content-type', 'application/json'],
    ['x-gatecheck-proxy', because.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)],
    ['content-length', String(Buffer.byteLength(body))],
  ];
  write(response, { status, headers }, Buffer.from(body));
}

function write(
  response: ServerResponse,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  body: Uint8Array | null,
): void {
  response.sendDate = false;
  try {
    response.writeHead(status, headers.flat());
    response.end(body ?? undefined);
  } catch {
    // A status or a field that Node does not write: the client sees a broken connection, the evidence the answer.
    response.destroy();
  }
}

/** Bytes of the bodies that are held at once, of all requests. */
export class BodyRoom {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** Reads a body; `too-large` beyond the bound or where there is no room, null when the client went away. */
export function readWhole(
  request: IncomingMessage,
  most: number,
  room: BodyRoom,
): Promise<{ readonly body: Buffer; readonly release: () => void } | 'too-large' | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let held = 0;
    let isDone = false;
    const release = () => {
      room.give(held);
      held = 0;
    };
    const fail = (how: 'too-large' | null) => {
      if (isDone) return;
      isDone = true;
      release();
      resolve(how);
    };
    request.on('data', (chunk: Buffer) => {
      if (isDone) return;
      if (held + chunk.length > most || !room.take(chunk.length)) {
        request.pause();
        fail('too-large');
        return;
      }
      held += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      if (isDone) return;
      isDone = true;
      resolve({ body: Buffer.concat(chunks), release });
    });
    request.on('error', () => fail(null));
    request.on('close', () => fail(null));
  });
}
