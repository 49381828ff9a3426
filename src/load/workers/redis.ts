import { Redis } from 'ioredis';
import { targetError } from '../../core/errors.ts';

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
