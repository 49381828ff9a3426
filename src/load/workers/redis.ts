import { Redis } from 'ioredis';
import { targetError } from '../../core/errors.ts';
import { systemClock } from '../../core/clock.ts';

/** A connection to Redis as BullMQ needs it; a clear error if there is none. */
export async function connectRedis(url: string): Promise<Redis> {
  let reason = 'no answer';
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    connectTimeout: 5000,
    retryStrategy: (times) => Math.min(2000, times * 100),
  });
  redis.on('error', (error: Error) => (reason = error.message));
  try {
    await Promise.race([redis.connect(), timeout(6000)]);
    await redis.ping();
    return redis;
  } catch (cause) {
    redis.disconnect();
    const { host, port } = redis.options;
    throw targetError(
      'REDIS',
      `Expected a Redis at ${host ?? ''}:${port ?? ''}: ${cause instanceof Error && cause.message !== '' ? cause.message : reason}.`,
      'Check --redis or GATECHECK_REDIS, and that it can be reached from this machine.',
      cause,
    );
  }
}

function timeout(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no connection within ${ms / 1000} s`)), ms).unref();
  });
}

interface WatchOptions {
  /** The interrupt. */
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** How long Redis may be silent before an interrupt. */
  readonly patienceMs?: number;
}

/** How often Redis is asked for a sign of life. */
const askMs = 500;
/** A Redis that is silent for this long after an interrupt is given up: people wait for the end. */
const interruptedMs = 4000;
/** Otherwise it may be away for as long as a restart takes. */
const restartMs = 120_000;

/**
 * Watches whether Redis still answers. Its commands wait for a lost connection without end, so that a short loss goes unnoticed;
 * this is what ends the wait.
 */
export class RedisWatch {
  readonly #redis: Redis;
  readonly #options: WatchOptions;
  readonly #lost = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  #heardAt = systemClock.monotonic();
  #interruptedAt: number | null = null;
  #isAsking = false;
  #isLost = false;

  constructor(redis: Redis, options: WatchOptions) {
    this.#redis = redis;
    this.#options = options;
    // Whoever waits gets the error; without anyone it must not count as unhandled.
    this.#lost.promise.catch(() => undefined);
    this.#timer = setInterval(() => this.#look(), askMs);
  }

  /** Whether Redis was given up. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The outcome of some work with Redis; rejects as soon as Redis is given up. */
  orLost<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#lost.promise]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = systemClock.monotonic();
    const { signal, patienceMs = restartMs } = this.#options;
    if (signal.aborted) this.#interruptedAt ??= now;
    const since = Math.max(this.#heardAt, this.#interruptedAt ?? this.#heardAt);
    const most = this.#interruptedAt === null ? patienceMs : interruptedMs;
    if (now - since > most) this.#giveUp(now - since);
    else this.#ask();
  }

  #ask(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#redis
      .ping()
      .then(() => (this.#heardAt = systemClock.monotonic()))
      .catch(() => undefined)
      .finally(() => (this.#isAsking = false));
  }

  #giveUp(silentMs: number): void {
    this.stop();
    this.#isLost = true;
    const seconds = Math.round(silentMs / 1000);
    this.#options.notice(`Redis has not answered for ${seconds} s: it is not waited for any longer.`);
    this.#lost.reject(
      targetError(
        'REDIS',
        `Expected an answer of Redis; none came for ${seconds} s.`,
        'Start Redis again. Workers send only what they already hold, at most for some seconds.',
      ),
    );
  }
}
