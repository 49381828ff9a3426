/** One limit of one caller: how long to wait until the next request may pass (0: now), and what has passed. */
export interface WindowCounter {
  waitMs(now: number): number;
  record(now: number): void;
  /** Takes back what was recorded at `at`. */
  remove(at: number): void;
}

export type CounterFactory = (limit: number, windowMs: number) => WindowCounter;

/** The documented limiter: at most `limit` requests in any stretch of `windowMs` (Limits). */
export const rollingLog: CounterFactory = (limit, windowMs) => {
  let times: number[] = [];
  const prune = (now: number) => {
    const live = times.findIndex((time) => time > now - windowMs);
    times = live < 0 ? [] : live === 0 ? times : times.slice(live);
  };
  return {
    waitMs: (now) => {
      const blocking = times[times.length - limit];
      if (blocking === undefined) return 0;
      return Math.max(0, blocking + windowMs - now);
    },
    record: (now) => {
      if (times.length >= 2 * limit) prune(now);
      times.push(now);
    },
    remove: (at) => {
      const index = times.lastIndexOf(at);
      if (index >= 0) times.splice(index, 1);
    },
  };
};

/** Counts afresh in each window that starts at a multiple of `windowMs` since the epoch. */
export const epochWindow: CounterFactory = (limit, windowMs) =>
  fixedWindow(limit, windowMs, (now) => Math.floor(now / windowMs) * windowMs);

/** Counts afresh in windows of which the first opens with the first request. */
export const firstRequestWindow: CounterFactory = (limit, windowMs) =>
  fixedWindow(limit, windowMs, (now) => now);

/** A bucket of `limit` tokens that refills evenly over the window. */
export const tokenBucket: CounterFactory = (limit, windowMs) => {
  let tokens = limit;
  let filledAt = -Infinity;
  const perMs = limit / windowMs;
  const level = (now: number) =>
    filledAt === -Infinity ? limit : Math.min(limit, tokens + (now - filledAt) * perMs);
  return {
    waitMs: (now) => Math.max(0, (1 - level(now)) / perMs),
    record: (now) => {
      tokens = level(now) - 1;
      filledAt = now;
    },
    remove: () => {
      tokens += 1;
    },
  };
};

/** The count of this fixed window plus the last one's, weighted by how much of it still lies within the window. */
export const weightedWindows: CounterFactory = (limit, windowMs) => {
  let index = 0;
  let current = 0;
  let previous = 0;
  const turn = (now: number) => {
    const at = Math.floor(now / windowMs);
    if (at === index) return;
    previous = at === index + 1 ? current : 0;
    current = 0;
    index = at;
  };
  return {
    waitMs: (now) => {
      turn(now);
      const share = 1 - (now % windowMs) / windowMs;
      return current + previous * share < limit ? 0 : Math.max(1, windowMs / limit);
    },
    record: (now) => {
      turn(now);
      current += 1;
    },
    remove: () => {
      current = Math.max(0, current - 1);
    },
  };
};

/** Fails for good once it is full. */
export const brokenWhenFull: CounterFactory = (limit) => {
  let count = 0;
  return {
    waitMs: () => {
      if (count >= limit) throw new RangeError('index out of range');
      return 0;
    },
    record: () => {
      count += 1;
    },
    remove: () => {
      count -= 1;
    },
  };
};

/** Counts for good: nothing ever ends its window. */
export const neverFreed: CounterFactory = (limit, windowMs) => {
  let count = 0;
  return {
    waitMs: () => (count >= limit ? windowMs : 0),
    record: () => {
      count += 1;
    },
    remove: () => {
      count -= 1;
    },
  };
};

/** The documented log, and a time for which a key is refused once it was full. */
export const penalty =
  (penaltyMs: number): CounterFactory =>
  (limit, windowMs) => {
    const log = rollingLog(limit, windowMs);
    let until = -Infinity;
    return {
      ...log,
      waitMs: (now) => {
        if (now >= until && log.waitMs(now) > 0) until = now + penaltyMs;
        return Math.max(0, until - now);
      },
    };
  };

/** No limit at all. */
export const unlimited: CounterFactory = () => ({
  waitMs: () => 0,
  record: () => undefined,
  remove: () => undefined,
});

function fixedWindow(limit: number, windowMs: number, opening: (now: number) => number): WindowCounter {
  let opened = -Infinity;
  let count = 0;
  return {
    waitMs: (now) => (now - opened < windowMs && count >= limit ? opened + windowMs - now : 0),
    record: (now) => {
      if (now - opened >= windowMs) {
        opened = opening(now);
        count = 0;
      }
      count += 1;
    },
    remove: () => {
      count = Math.max(0, count - 1);
    },
  };
}
