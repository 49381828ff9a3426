import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';
import { targetError, usageError } from '../../core/errors.ts';
import { type LoadSetup, present, type Presence } from './messages.ts';

interface WantedWorkers {
  readonly count: number;
  readonly target: LoadSetup['target'];
  readonly keys: LoadSetup['keys'];
  readonly beyondLimits: boolean;
  readonly version: string;
  readonly waitMs: number;
}

interface Waiting {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
}

/** Waits until there are enough capable workers; a worker that cannot do its part is named at once. */
export async function awaitWorkers(
  redis: Redis,
  wanted: WantedWorkers,
  { clock, signal, notice }: Waiting,
): Promise<void> {
  const until = clock.monotonic() + wanted.waitMs;
  let told = -1;
  for (;;) {
    signal.throwIfAborted();
    const workers = await present(redis);
    for (const worker of workers) refuseUnfit(worker, wanted);
    if (workers.length >= wanted.count) return;
    if (clock.monotonic() > until) {
      throw targetError(
        'NO_WORKERS',
        `Expected ${wanted.count} workers within ${wanted.waitMs / 1000} s; found ${workers.length}. Nothing was sent.`,
        `Start more, with GATECHECK_REDIS and the keys in their environment: gatecheck worker --target ${wanted.target.webcheckin}`,
      );
    }
    if (told !== workers.length)
      notice(`Waiting for workers: ${workers.length} of ${wanted.count} are there.`);
    told = workers.length;
    await clock.sleep(500, signal);
  }
}

function refuseUnfit(worker: Presence, { target, keys, beyondLimits, version }: WantedWorkers): void {
  if (worker.version !== version) {
    throw usageError(
      'WORKER_VERSION',
      `Worker ${worker.name}: expected version ${version}; got ${worker.version.slice(0, 60)}. Nothing was sent.`,
      'Run the same version on every machine.',
    );
  }
  const urls = ({ webcheckin, 'flight-alerts': flightAlerts }: LoadSetup['target']) =>
    [...new Set([webcheckin, flightAlerts])].join(' and ');
  if (urls(worker.target) !== urls(target)) {
    throw usageError(
      'WORKER_TARGET',
      `Worker ${worker.name}: expected the target ${urls(target)}; got ${urls(worker.target)}. Nothing was sent.`,
      'Restart it with the same --target, or stop it.',
    );
  }
  const missing = keys.filter(({ id }) => !worker.keys.includes(id));
  if (missing.length > 0) {
    throw usageError(
      'WORKER_KEYS',
      `Worker ${worker.name}: expected the keys of this load; it lacks ${missing.map(({ label }) => label).join(', ')}. Nothing was sent.`,
      'Restart it with the same GATECHECK_KEYS_PRIMARY, or use fewer keys with --keys.',
    );
  }
  if (beyondLimits && !worker.beyondLimits) {
    throw usageError(
      'NOT_OWNED',
      `Worker ${worker.name}: expected --i-own-this-target, since this load goes beyond the limits. Nothing was sent.`,
      'Restart it with that option, or use --within-limits.',
    );
  }
}
