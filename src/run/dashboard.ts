import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { listenError } from '../core/listenFault.ts';
import type { LoadView } from '../load/load.ts';
import type { RunResult } from '../report/result.ts';
import { dashboardPage, showResult, showRunning, type InFlight } from './dashboardPage.ts';

export interface Dashboard {
  readonly url: string;
  readonly start: (view: LoadView) => void;
  /** Shows the result, and the report of this path; resolves once open pages have both. */
  readonly finish: (result: RunResult, report: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

const host = '127.0.0.1';
/** Browsers open six at most; what reads without end must not keep the load from being sent. */
const mostConnections = 32;
/** The figures are made anew at most this often, whoever asks. */
const freshMs = 500;
const mostSamples = 600;
/** A page that asked within this time is open; how long it may take to fetch the report. */
const patienceMs = 3000;
const lookMs = 50;

/** A page on this machine that shows a running load, and its result at the end. */
export async function openDashboard(port: number, clock: Clock): Promise<Dashboard> {
  const shelf = new Shelf(clock);
  const server = createServer((request, response) => {
    // A page of another site must not read it through a name that resolves to this machine.
    const isHere = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
    if (!isHere || request.method !== 'GET') {
      response.writeHead(403).end();
      return;
    }
    const found = shelf.take(request.url ?? '');
    if (found === null) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': found.type,
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:",
    });
    response.end(found.text);
  });
  server.maxConnections = mostConnections;
  await listen(server, port);
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    start: (view) => shelf.show(view),
    finish: async (result, report) => {
      shelf.end(result, { path: report, text: await readFile(report, 'utf8').catch(() => '') });
      const until = clock.monotonic() + patienceMs;
      while (shelf.isAwaited && clock.monotonic() < until) await clock.sleep(lookMs);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the page fetches. */
class Shelf {
  readonly #clock: Clock;
  #view: LoadView | null = null;
  #data = 'null';
  #report: string | null = null;
  #madeAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #inFlight: InFlight[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  show(view: LoadView): void {
    [this.#view, this.#inFlight] = [view, []];
  }

  end(result: RunResult, report: { readonly path: string; readonly text: string }): void {
    [this.#view, this.#report] = [null, report.text];
    this.#data = JSON.stringify(showResult(result, report.path));
  }

  /** Whether an open page has not fetched the report yet. */
  get isAwaited(): boolean {
    return this.#askedAt > this.#clock.monotonic() - patienceMs;
  }

  take(path: string): { readonly type: string; readonly text: string } | null {
    const page = 'text/html; charset=utf-8';
    if (path === '/') return { type: page, text: dashboardPage };
    if (path === '/data') return { type: 'application/json', text: this.#freshData() };
    if (path !== '/report.html' || this.#report === null) return null;
    this.#askedAt = Number.NEGATIVE_INFINITY;
    return { type: page, text: this.#report };
  }

  #freshData(): string {
    const now = this.#clock.monotonic();
    this.#askedAt = now;
    const view = this.#view;
    if (view === null || now - this.#madeAt < freshMs) return this.#data;
    const atMs = Math.max(0, now - view.startedAt);
    this.#inFlight = [...this.#inFlight, { atMs, count: view.recorder.inFlight }].slice(-mostSamples);
    this.#data = JSON.stringify(showRunning(view, now, this.#inFlight));
    this.#madeAt = now;
    return this.#data;
  }
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
