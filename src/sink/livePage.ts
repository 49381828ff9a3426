import { createHash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import type { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { listenError } from '../core/listenFault.ts';
import { assemblePageScript } from '../core/pageScript.ts';
import { pageStyle } from './pageStyle.ts';

/** What went wrong, for the person; null for nothing. */
export type Refusal = string | null;

/** Something that a user may request on the page. */
interface PageAction {
  readonly parse: (json: unknown) => (() => Refusal) | null;
}

/** An action and the schema of its input. */
export function pageAction<T>(form: z.ZodType<T>, run: (asked: T) => Refusal): PageAction {
  return {
    parse: (json) => {
      const asked = form.safeParse(json);
      return asked.success ? () => run(asked.data) : null;
    },
  };
}

/** Sends a reader everything new, until the signal aborts. */
type Follow = (send: (news: unknown) => Promise<void>, over: AbortSignal) => Promise<void>;

interface LivePageOptions {
  readonly title: string;
  /** The markup of the page; its script fills it, as text and never as markup. */
  readonly body: string;
  /** Name of the page's script, in `page/`. */
  readonly script: string;
  /** Starts following for one reader. */
  readonly follow: Follow;
  /** Actions by the last part of the path that they are posted to. */
  readonly actions: Readonly<Record<string, PageAction>>;
  /** The HAR of everything so far, and its file name. */
  readonly har: { readonly name: string; readonly export: () => Promise<Uint8Array> };
  readonly clock: Clock;
  readonly port: number;
}

interface ServedPage extends Omit<LivePageOptions, 'port'> {
  readonly html: string;
  /** Content security policy of the page. */
  readonly policy: string;
}

export interface Page {
  /** Its address; without knowing it, nobody can open the page. */
  readonly url: string;
  close(): Promise<void>;
}

/** Updates are not sent more often than people can see. */
const leastPauseMs = 100;

/** Serves a live page on loopback, on its own port. */
export async function openLivePage(options: LivePageOptions): Promise<Page> {
  const closing = new AbortController();
  const base = `/${randomBytes(16).toString('base64url')}`;
  const script = readScript(options.script);
  const app = createApp(
    base,
    { ...options, html: htmlOf(options, script), policy: policyOf(script) },
    closing.signal,
  );
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

/** The page's script for a browser, with the modules that it imports. */
function readScript(name: string): string {
  return assemblePageScript(new URL(`page/${name}${extname(import.meta.url)}`, import.meta.url));
}

function htmlOf({ title, body }: Pick<LivePageOptions, 'title' | 'body'>, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${body}<script type="module">${script}</script>
</body>
</html>
`;
}

/** The page loads nothing from elsewhere, and runs only its own script. */
function policyOf(script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(pageStyle)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page and its requests, below an address that cannot be guessed. */
function createApp(
  base: string,
  { html, policy, actions, har, follow, clock }: ServedPage,
  closing: AbortSignal,
): Hono {
  const app = new Hono();
  app.use(`${base}/*`, async (context, next) => {
    // A foreign name that resolves to loopback is not ours.
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
    return context.html(html);
  });
  app.get(`${base}/news`, (context) => stream(context, { follow, clock, closing }));
  app.get(`${base}/har`, async (context) => {
    context.header('content-disposition', `attachment; filename="${har.name}"`);
    context.header('content-type', 'application/json');
    return context.body(new Uint8Array(await har.export()));
  });
  app.use(`${base}/do/*`, refuseOtherSites, bodyLimit({ maxSize: 16 * 1024 }));
  for (const [name, action] of Object.entries(actions))
    app.post(`${base}/do/${name}`, (context) => act(context, action));
  return app;
}

/** A page of another site may also send forms here; browsers say where they come from. */
const refuseOtherSites: MiddlewareHandler = async (context, next) => {
  const [origin, site] = [context.req.header('origin'), context.req.header('sec-fetch-site')];
  const own = `http://${context.req.header('host') ?? ''}`;
  const isOwn = site === undefined ? origin === undefined || origin === own : site === 'same-origin';
  const isJson = /^application\/json\b/.test(context.req.header('content-type') ?? '');
  if (!isOwn || !isJson) return context.text('', 403);
  await next();
  return undefined;
};

interface Streaming extends Pick<LivePageOptions, 'follow' | 'clock'> {
  readonly closing: AbortSignal;
}

function stream(context: Context, { follow, clock, closing }: Streaming): Response {
  const left = new AbortController();
  const over = AbortSignal.any([closing, left.signal]);
  return streamSSE(context, async (events) => {
    events.onAbort(() => left.abort());
    const send = async (news: unknown) => {
      await events.writeSSE({ data: JSON.stringify(news) });
      await clock.sleep(leastPauseMs, over).catch(() => undefined);
    };
    await follow(send, over);
  });
}

async function act(context: Context, action: PageAction): Promise<Response> {
  const run = action.parse(await context.req.json().catch(() => null));
  const refusal = run === null ? 'expected another form of request' : run();
  return refusal === null ? context.json({ ok: true }) : context.json({ ok: false, error: refusal }, 400);
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
