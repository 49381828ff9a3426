import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

interface Route {
  readonly address: string;
  readonly ca?: string;
}

const pauses = [200, 800, 3000];

/** A queue of callbacks: each waits a little, and is tried again until somebody takes it. */
export class Deliveries {
  readonly routes = new Map<string, Route>();
  readonly #queueMs: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #pending = 0;

  constructor(queueMs: number) {
    this.#queueMs = queueMs;
  }

  get pending(): number {
    return this.#pending;
  }

  push(url: string, headers: Readonly<Record<string, string>>, body: string): void {
    this.#pending += 1;
    this.#later(this.#queueMs, () => void this.#deliver(url, headers, body, 0));
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #deliver(url: string, headers: Readonly<Record<string, string>>, body: string, tries: number) {
    const status = await this.#post(new URL(url), headers, body).catch(() => 0);
    const pause = pauses[tries];
    if ((status >= 200 && status < 300) || pause === undefined) this.#pending -= 1;
    else this.#later(pause, () => void this.#deliver(url, headers, body, tries + 1));
  }

  #post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
    const route = this.routes.get(url.hostname.toLowerCase());
    const to = route ? new URL(route.address) : url;
    const send = to.protocol === 'https:' ? secure : plain;
    const bytes = Buffer.from(body);
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          host: to.hostname,
          port: to.port,
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: { ...headers, 'content-length': bytes.length, host: url.host },
          servername: url.hostname,
          timeout: 2000,
          ...(route?.ca === undefined ? {} : { ca: route.ca }),
        },
        (incoming) => {
          incoming.resume();
          resolve(incoming.statusCode ?? 0);
        },
      );
      outgoing.on('error', reject);
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.end(bytes);
    });
  }

  #later(ms: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, ms);
    this.#timers.add(timer);
  }
}
