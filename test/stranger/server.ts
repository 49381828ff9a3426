import busboy from 'busboy';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Books, type Enterprise } from './books.ts';
import { list, status, subscribe, update } from './checkIns.ts';
import { follow, lookup } from './flights.ts';
import type { Manners } from './manners.ts';
import { isMembers, type Members } from './payload.ts';
import { invalid, Refusal } from './refusal.ts';
import { BadState, setState } from './states.ts';

interface Call {
  readonly books: Books;
  readonly owner: Enterprise;
  readonly query: URLSearchParams;
  readonly sent: () => Promise<{ members: Members; uploads: boolean }>;
}

const operations: Readonly<Record<string, (call: Call) => unknown>> = {
  'POST /extPartner/api/webcheckin/subscribe': async ({ books, owner, sent }) =>
    subscribe(books, owner, (await sent()).members),
  'POST /extPartner/api/webcheckin/update': async ({ books, owner, sent }) => {
    const { members, uploads } = await sent();
    return update(books, owner, members, uploads);
  },
  'GET /extPartner/api/webcheckin/status': ({ books, owner, query }) => status(books, owner, query),
  'GET /extPartner/api/webcheckin/requests': ({ books, owner, query }) => list(books, owner, query),
  'GET /extPartner/api/flight-alerts': ({ books, query }) => lookup(books, query),
  'POST /extPartner/api/flight-alerts/subscribe': async ({ books, owner, sent }) =>
    follow(books, owner, (await sent()).members),
};

interface Stranger {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A server of both APIs that shares nothing with the reference: written from the documents, with manners of its own. */
export async function startStranger(
  manners: Manners,
  enterprises: Readonly<Record<string, readonly string[]>>,
): Promise<Stranger> {
  const books = new Books(manners);
  for (const [name, keys] of Object.entries(enterprises)) books.enterprise(name, keys, 1_000_000);
  const server = createServer((request, response) => void serve(books, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      books.deliveries.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(books: Books, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stranger');
  const body = await bytesOf(request);
  const { status: code, answer } =
    url.pathname === '/_state' ? state(books, body) : await operate(books, request, url, body);
  const text = Buffer.from(JSON.stringify(answer, null, 2));
  response.writeHead(code, {
    'content-type': 'application/json;charset=UTF-8',
    'content-length': text.length,
    ...(url.pathname === '/extPartner/api/flight-alerts' ? { 'cache-control': 'private, no-store' } : {}),
  });
  response.end(text);
}

async function operate(
  books: Books,
  request: IncomingMessage,
  url: URL,
  body: Buffer,
): Promise<{ status: number; answer: unknown }> {
  try {
    const operation = operations[`${request.method ?? ''} ${url.pathname}`];
    if (!operation) throw new Refusal(404, 'NOT_FOUND', 'There is no such operation.');
    const owner = authenticated(books, request.headers['x-api-key']);
    const sent = () => parsed(request.headers['content-type'] ?? '', body);
    const answer = await operation({ books, owner, query: url.searchParams, sent });
    return { status: 200, answer };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Every refusal has an id and a time of its own, which say nothing about what was refused.
    const more = { requestId: randomUUID(), timestamp: new Date().toISOString() };
    return { status: error.status, answer: { ...error.body, ...more } };
  }
}

function authenticated(books: Books, header: string | string[] | undefined): Enterprise {
  const key = typeof header === 'string' ? header.trim() : '';
  if (key === '') throw new Refusal(401, 'API key is required', 'Send it in X-API-Key.');
  const owner = books.keys.get(key);
  if (!owner) throw new Refusal(401, 'Invalid API key', 'This key is not active.');
  return owner;
}

const jsonParts = ['flights', 'passengers', 'callbackData', 'payload'];

async function parsed(type: string, body: Buffer): Promise<{ members: Members; uploads: boolean }> {
  if (type.toLowerCase().startsWith('multipart/form-data')) return parts(await multipart(type, body));
  const members = json(body.toString('utf8'), 'the body');
  if (!isMembers(members)) throw invalid('the body');
  return { members, uploads: false };
}

function multipart(type: string, body: Buffer): Promise<{ members: Members; uploads: boolean }> {
  const members: Members = {};
  let uploads = false;
  return new Promise((resolve, reject) => {
    const unreadable = () => reject(new Refusal(500, 'INTERNAL_ERROR', 'The upload cannot be read.'));
    try {
      const parser = busboy({ headers: { 'content-type': type } });
      parser.on('file', (_name, stream) => {
        uploads = true;
        stream.resume();
      });
      parser.on('field', (name, text) => {
        members[name] = text;
      });
      parser.on('error', unreadable);
      parser.on('close', () => resolve({ members, uploads }));
      parser.end(body);
    } catch {
      unreadable();
    }
  });
}

function parts({ members, uploads }: { members: Members; uploads: boolean }) {
  const read = Object.entries(members).map(([name, text]) => [
    name,
    jsonParts.includes(name) ? json(String(text), name) : text,
  ]);
  return { members: Object.fromEntries(read) as Members, uploads };
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(what);
  }
}

function state(books: Books, body: Buffer): { status: number; answer: Members } {
  try {
    const { state: name, params } = JSON.parse(body.toString('utf8')) as Members;
    const answer = setState(books, name, isMembers(params) ? params : {});
    if (!answer) return { status: 501, answer: { ok: false, error: 'UNSUPPORTED_STATE' } };
    return { status: 200, answer: { ok: true, ...answer } };
  } catch (error) {
    if (!(error instanceof BadState || error instanceof Refusal || error instanceof SyntaxError)) throw error;
    return { status: 400, answer: { ok: false, error: error.message } };
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
