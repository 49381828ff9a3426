import * as http from 'node:http';
import * as https from 'node:https';
import type { MovableClock } from './clock.ts';
import { type Conventions } from './conventions.ts';
import { writeJson } from './writing.ts';

export interface Delivery {
  url: string;
  /** Name and value, as they were given. */
  credential: readonly [string, string];
  body: unknown;
  /** What a queue that keeps an order keeps it for. */
  subject: string;
  retries: string;
  times?: number;
}

const schedules: Record<string, readonly number[]> = {
  '1 5 30': [1_000, 5_000, 30_000],
  '60 300': [60_000, 300_000],
  '0.5 x8': Array.from({ length: 8 }, () => 500),
  '10 x3': [10_000, 10_000, 10_000],
  jitter: [1_000, 3_000, 9_000, 27_000].map((ms) => ms * (0.8 + Math.random() * 0.4)),
  none: [],
};

interface Route {
  address: string;
  ca?: string;
}

/** The queue of callbacks: what is to be sent, in which order, and again when. */
export class Deliveries {
  pending = 0;
  readonly #routes = new Map<string, Route>();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #clock: MovableClock;
  readonly #using: Conventions;
  #stopped = false;

  constructor(clock: MovableClock, using: Conventions) {
    this.#clock = clock;
    this.#using = using;
  }

  get countsPending(): boolean {
    return this.#using.countsPending;
  }

  route(host: string, route: Route): void {
    this.#routes.set(host.toLowerCase(), route);
  }

  stop(): void {
    this.#stopped = true;
  }

  push(delivery: Delivery): void {
    for (let time = 0; time < (delivery.times ?? 1); time += 1) this.#enqueue(delivery);
  }

  #enqueue(delivery: Delivery): void {
    this.pending += 1;
    const { pushOrder, pushDelayMs, pushJitter } = this.#using;
    const delay = pushDelayMs * (pushJitter ? 0.5 + Math.random() : 1);
    const start = new Promise<void>((go) => (delay === 0 ? go() : this.#clock.after(delay, go)));
    const queue = pushOrder === 'one worker' ? 'all' : delivery.subject;
    const before = pushOrder === 'parallel' ? undefined : this.#queues.get(queue);
    const done = Promise.all([start, before]).then(async () => this.#deliver(delivery));
    this.#queues.set(queue, done);
    void done.finally(() => (this.pending -= 1));
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const waits = schedules[delivery.retries] ?? [];
    for (let attempt = 0; !this.#stopped; attempt += 1) {
      if (await this.#send(delivery)) return;
      const wait = waits[attempt];
      if (wait === undefined) return;
      await new Promise<void>((go) => this.#clock.after(wait, go));
    }
  }

  async #send({ url, credential, body }: Delivery): Promise<boolean> {
    const target = new URL(url);
    const route = this.#routes.get(target.hostname.toLowerCase());
    const at = route ? new URL(route.address) : target;
    const bytes = Buffer.from(writeJson(body, this.#using));
    // Header fields are bytes: what was registered as UTF-8 is sent as UTF-8.
    const value = Buffer.from(credential[1], 'utf8').toString('latin1');
    const headers = {
      Host: target.host,
      'Content-Type': this.#using.pushType,
      'Content-Length': String(bytes.length),
      [credential[0]]: value,
    };
    const options = {
      method: 'POST',
      host: at.hostname,
      port: at.port,
      path: `${target.pathname}${target.search}`,
      headers,
      timeout: 10_000,
      ...(at.protocol === 'https:' && { servername: target.hostname, ca: route?.ca }),
    };
    return new Promise((tell) => {
      const request = (at.protocol === 'https:' ? https : http).request(options, (response) => {
        response.resume();
        const status = response.statusCode ?? 0;
        response.on('error', () => tell(false)).on('end', () => tell(status >= 200 && status < 300));
        response.on('close', () => tell(false));
      });
      request.on('timeout', () => request.destroy(new Error('no answer'))).on('error', () => tell(false));
      request.end(bytes);
    });
  }
}
