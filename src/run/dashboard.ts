import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { listenError } from '../core/listenFault.ts';
import { liveCourse, liveFigures, type CoursePoint, type LiveFigures } from '../load/live.ts';
import type { LoadView } from './load.ts';
import { dashboardPage } from './dashboardPage.ts';

export interface Dashboard {
  readonly url: string;
  readonly start: (view: LoadView) => void;
  readonly close: () => Promise<void>;
}

const host = '127.0.0.1';
/** Browsers open six at most; what reads without end must not keep the load from being sent. */
const mostConnections = 32;
/** The figures are made anew at most this often, whoever asks. */
const freshMs = 200;

/** A page on this machine that shows a running load; it shows only numbers. */
export async function openDashboard(port: number, clock: Clock): Promise<Dashboard> {
  let view: LoadView | null = null;
  let latest = { at: Number.NEGATIVE_INFINITY, text: 'null' };
  const figures = (running: LoadView | null): string => {
    const now = clock.monotonic();
    if (running !== null && now - latest.at >= freshMs)
      latest = { at: now, text: JSON.stringify(shown(running, now)) };
    return latest.text;
  };
  const server = createServer((request, response) => {
    // A page of another site must not read it through a name that resolves to this machine.
    const isHere = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
    if (!isHere || request.method !== 'GET') {
      response.writeHead(403).end();
      return;
    }
    const isData = request.url === '/data';
    if (!isData && request.url !== '/') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': isData ? 'application/json' : 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
    });
    response.end(isData ? figures(view) : dashboardPage);
  });
  server.maxConnections = mostConnections;
  await listen(server, port);
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    start: (started) => {
      view = started;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The figures of the moment, and the course of the load from its beginning, whenever the page was opened. */
function shown(view: LoadView, now: number): LiveFigures & { readonly course: readonly CoursePoint[] } {
  return { ...liveFigures(view, now), course: liveCourse(view, now) };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--dashboard', portOption: '--dashboard' }, cause);
  }
}
