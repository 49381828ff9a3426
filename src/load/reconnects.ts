import type { Clock } from '../core/clock.ts';
import type { Transport, WireRequest, WireResult } from '../send/transport.ts';
import { Durations, type Percentiles } from './histogram.ts';

/** How connections that broke all at once affected the answers. */
export interface Reconnects {
  readonly count: number;
  readonly everyMs: number;
  /** From sending to the answer: for requests sent within a second of it, and for the rest. */
  readonly after: Percentiles;
  readonly otherwise: Percentiles;
  /** How many requests sent within a second of it got no answer. */
  readonly failed: number;
}

interface ReconnectOptions {
  readonly open: () => Transport;
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'monotonic' | 'timer'>;
}

const afterMs = 1000;

/**
 * A transport whose connections are all closed at once, again and again, as after a restart of a load balancer: subsequent
 * requests need new ones at the same time. Requests under way are answered on the old ones, so that we cause no failure.
 */
export class ReconnectingTransport implements Transport {
  readonly #options: ReconnectOptions;
  readonly #after = new Durations();
  readonly #otherwise = new Durations();
  #current: Pool;
  #count = 0;
  #failed = 0;
  #at = Number.NEGATIVE_INFINITY;
  #cancel = (): unknown => undefined;

  constructor(options: ReconnectOptions) {
    this.#options = options;
    this.#current = new Pool(options.open());
  }

  /** Called when the load starts. */
  begin(): void {
    const { clock, everyMs } = this.#options;
    this.#cancel();
    this.#cancel = clock.timer(everyMs, () => {
      this.#current.retire();
      this.#current = new Pool(this.#options.open());
      this.#count += 1;
      this.#at = clock.monotonic();
      this.begin();
    });
  }

  async send(request: WireRequest): Promise<WireResult> {
    const isAfter = this.#options.clock.monotonic() < this.#at + afterMs;
    const result = await this.#current.send(request);
    const { sent, received } = result.timings;
    (isAfter ? this.#after : this.#otherwise).record(received - sent);
    if (isAfter && result.outcome.kind === 'failure') this.#failed += 1;
    return result;
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#current.close();
  }

  get summary(): Reconnects {
    return {
      ...{ count: this.#count, everyMs: this.#options.everyMs, failed: this.#failed },
      ...{ after: this.#after.percentiles, otherwise: this.#otherwise.percentiles },
    };
  }
}

/** Connections that are closed together, once nothing is under way on them. */
class Pool {
  readonly #transport: Transport;
  #underWay = 0;
  #isRetired = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async send(request: WireRequest): Promise<WireResult> {
    this.#underWay += 1;
    try {
      return await this.#transport.send(request);
    } finally {
      this.#underWay -= 1;
      if (this.#isRetired && this.#underWay === 0) void this.close();
    }
  }

  retire(): void {
    this.#isRetired = true;
    if (this.#underWay === 0) void this.close();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
