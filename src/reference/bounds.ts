/** What answers a request, with what the server knows of its connection. */
export type Handler = (request: Request, env: unknown) => Promise<Response>;

/** Bytes of a body that are read: scans of documents come to the one, a few members to the other. */
export const longestBody = { api: 32 << 20, state: 1 << 20 } as const;

/** Refuses a body that is longer, before it fills the memory. */
export function bounded(bytes: number, handler: Handler): Handler {
  return async (request, env) => {
    if (request.body === null) return handler(request, env);
    if (Number(request.headers.get('content-length') ?? 0) > bytes) return tooLarge(bytes);
    // A length that is named is kept to by the server; only a body without one has to be counted.
    if (request.headers.has('content-length')) return handler(request, env);
    const body = await readUpTo(request.body, bytes);
    if (body === null) return tooLarge(bytes);
    const { method, headers, url } = request;
    return handler(new Request(url, { method, headers, body }), env);
  };
}

/**
 * Lets in what this machine or a test asks for, and no page that somebody has open in a browser: those name an origin, or
 * on loopback a host that is none.
 */
export function fromHere(listensOn: string, handler: Handler): Handler {
  return (request, env) => {
    const host = request.headers.get('host') ?? '';
    const isForeign = request.headers.has('origin') || (isLocal(listensOn) && !isLocal(nameOf(host)));
    return isForeign ? Promise.resolve(refusal(403, 'FOREIGN_ORIGIN')) : handler(request, env);
  };
}

function isLocal(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
  );
}

function nameOf(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

async function readUpTo(
  body: ReadableStream<Uint8Array>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    if (read > bytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(bytes: number): Response {
  return refusal(413, 'PAYLOAD_TOO_LARGE', `At most ${bytes} bytes are read.`);
}

function refusal(status: number, error: string, message = 'Not from here.'): Response {
  return Response.json(
    { ok: false, success: false, error, message },
    { status, headers: { connection: 'close' } },
  );
}
