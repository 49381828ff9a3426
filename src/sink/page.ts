import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { listenError } from '../core/listenFault.ts';
import { accepting } from '../receive/script.ts';
import { scriptForm } from './script.ts';
import { start, type Board } from './board.ts';
import type { Reply, Requests } from './page/news.ts';
import { policy, renderPage } from './pageHtml.ts';

interface PageOptions {
  readonly board: Board;
  readonly clock: Clock;
  readonly port: number;
  /** The HAR of all that has arrived so far. */
  readonly exportHar: () => Promise<Uint8Array>;
}

export interface Page {
  /** Its address; who does not know it, does not see it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Nothing is sent more often than people can see. */
const leastPauseMs = 100;

/** Serves the live page on loopback, on a port of its own. */
export async function openPage(options: PageOptions): Promise<Page> {
  const closing = new AbortController();
  const base = `/${randomBytes(16).toString('base64url')}`;
  const app = createPageApp(base, options, closing.signal);
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const port = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}${base}/`,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The page and what it asks for, below an address that cannot be guessed. */
function createPageApp(
  base: string,
  { board, clock, exportHar }: Omit<PageOptions, 'port'>,
  closing: AbortSignal,
): Hono {
  const app = new Hono();
  app.use(`${base}/*`, async (context, next) => {
    // A name that somebody lets lead to loopback is not one of ours.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(context.req.header('host') ?? '')) {
      return context.text('', 404);
    }
    await next();
    context.header('cache-control', 'no-store');
    context.header('referrer-policy', 'no-referrer');
    context.header('x-content-type-options', 'nosniff');
    return undefined;
  });
  app.get(`${base}/`, (context) => {
    context.header('content-security-policy', policy);
    return context.html(renderPage());
  });
  app.get(`${base}/news`, (context) => follow(context, board, { clock, closing }));
  app.get(`${base}/har`, async (context) => {
    context.header('content-disposition', 'attachment; filename="callbacks.har"');
    context.header('content-type', 'application/json');
    return context.body(new Uint8Array(await exportHar()));
  });
  app.use(`${base}/do/*`, refuseOtherSites, bodyLimit({ maxSize: 16 * 1024 }));
  app.post(`${base}/do/answer`, (context) => act(context, 'answer', (asked) => answer(board, asked)));
  app.post(`${base}/do/expect`, (context) => act(context, 'expect', (asked) => expect(board, asked)));
  app.post(`${base}/do/open`, (context) => act(context, 'open', ({ label }) => open(board, label)));
  return app;
}

/** A page of another site may send forms here as well; browsers say where they come from. */
const refuseOtherSites: MiddlewareHandler = async (context, next) => {
  const [origin, site] = [context.req.header('origin'), context.req.header('sec-fetch-site')];
  const own = `http://${context.req.header('host') ?? ''}`;
  const isOwn = site === undefined ? origin === undefined || origin === own : site === 'same-origin';
  const isJson = /^application\/json\b/.test(context.req.header('content-type') ?? '');
  if (!isOwn || !isJson) return context.text('', 403);
  await next();
  return undefined;
};

function follow(
  context: Context,
  board: Board,
  { clock, closing }: { readonly clock: Clock; readonly closing: AbortSignal },
): Response {
  const left = new AbortController();
  const over = AbortSignal.any([closing, left.signal]);
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => left.abort());
    let cursor = start;
    while (!over.aborted) {
      const { cursor: next, ...news } = board.since(cursor);
      await stream.writeSSE({ data: JSON.stringify(news) });
      cursor = next;
      await clock.sleep(leastPauseMs, over).catch(() => undefined);
      await board.news(cursor, over);
    }
  });
}

const token = z.string().max(100);
const schemas: { readonly [K in keyof Requests]: z.ZodType<Requests[K]> } = {
  answer: z.strictObject({ token, script: z.string().max(1000) }),
  expect: z.strictObject({
    token,
    value: z.string().max(8192),
    name: z.enum(['X-API-Key', 'Authorization']),
  }),
  open: z.strictObject({ label: z.string().trim().min(1).max(60) }),
};

/** What went wrong, for the person; null for nothing. */
type Refusal = string | null;

async function act<K extends keyof Requests>(
  context: Context,
  what: K,
  run: (asked: Requests[K]) => Refusal,
): Promise<Response> {
  const json: unknown = await context.req.json().catch(() => null);
  const asked = schemas[what].safeParse(json);
  const refusal = asked.success ? run(asked.data) : 'expected another form of request';
  const reply: Reply = refusal === null ? { ok: true } : { ok: false, error: refusal };
  return context.json(reply, reply.ok ? 200 : 400);
}

function answer(board: Board, { token: address, script }: Requests['answer']): Refusal {
  const read = scriptForm.safeParse(script.trim());
  if (!read.success) return read.error.issues[0]?.message ?? 'expected another script';
  return board.answerWith(address, read.data) ? null : 'no such address';
}

function expect(board: Board, { token: address, name, value }: Requests['expect']): Refusal {
  const expectation = value.trim() === '' ? null : { name, value: value.trim() };
  return board.expect(address, expectation) ? null : 'no such address';
}

function open(board: Board, label: string): Refusal {
  if (board.addresses.length >= 100) return 'there are a hundred addresses already';
  board.open(label, accepting, null);
  return null;
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (cause) {
    throw listenError({ host: '127.0.0.1', port, hostOption: '--page', portOption: '--page' }, cause);
  }
  return (server.address() as AddressInfo).port;
}
