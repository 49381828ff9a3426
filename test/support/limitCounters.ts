import {
  rollingLog,
  type CounterFactory,
  type WindowCounter,
} from '../../src/reference/shared/windowCounters.ts';

/** A bucket that holds `burst` and refills `refill` a window, continuously or at each whole second of the clock. */
export function bucket(burst: number, refill: number, stepMs = 0): CounterFactory {
  return (_limit, windowMs) => {
    const perMs = refill / windowMs;
    let tokens = burst;
    let filledAt = -Infinity;
    const level = (now: number) => {
      const at = stepMs > 0 ? Math.floor(now / stepMs) * stepMs : now;
      return filledAt === -Infinity ? burst : Math.min(burst, tokens + Math.max(0, at - filledAt) * perMs);
    };
    return {
      waitMs: (now) => Math.max(0, (1 - level(now)) / perMs),
      record: (now) => {
        tokens = level(now) - 1;
        filledAt = stepMs > 0 ? Math.floor(now / stepMs) * stepMs : now;
      },
      remove: () => {
        tokens += 1;
      },
    };
  };
}

/** Both have to let a request through. */
export function behind(first: CounterFactory, second: CounterFactory): CounterFactory {
  return (limit, windowMs) => {
    const counters = [first(limit, windowMs), second(limit, windowMs)];
    return {
      waitMs: (now) => Math.max(...counters.map((one) => one.waitMs(now))),
      record: (now) => {
        for (const one of counters) one.record(now);
      },
      remove: (at) => {
        for (const one of counters) one.remove(at);
      },
    };
  };
}

/** The same limiter with another number. */
export function sized(counter: CounterFactory, size: number): CounterFactory {
  return (_limit, windowMs) => counter(size, windowMs);
}

/** Several instances that count for themselves; `next` says which one a request goes to. */
export function spread(count: number, next: () => number, size?: number): CounterFactory {
  return (limit, windowMs) => {
    const logs = Array.from({ length: count }, () => rollingLog(size ?? limit, windowMs));
    let taken = logs[0];
    let askedAt = Number.NaN;
    const at = (now: number): WindowCounter | undefined => {
      if (now !== askedAt) taken = logs[Math.floor(next()) % count];
      askedAt = now;
      return taken;
    };
    return {
      waitMs: (now) => at(now)?.waitMs(now) ?? 0,
      record: (now) => {
        at(now)?.record(now);
        askedAt = Number.NaN;
      },
      remove: (past) => {
        for (const one of logs) one.remove(past);
      },
    };
  };
}

/** Counts what it admits only a moment later, the same for all or each by itself. */
export function countedLate(momentMs: () => number): CounterFactory {
  return (limit, windowMs) => {
    const log = rollingLog(limit, windowMs);
    let pending: { readonly at: number; readonly shownAt: number }[] = [];
    const settle = (now: number) => {
      for (const { at } of pending.filter(({ shownAt }) => shownAt <= now)) log.record(at);
      pending = pending.filter(({ shownAt }) => shownAt > now);
    };
    return {
      waitMs: (now) => {
        settle(now);
        return log.waitMs(now);
      },
      record: (now) => void pending.push({ at: now, shownAt: now + momentMs() }),
      remove: (at) => log.remove(at),
    };
  };
}

/** Forgets everything at each of the instants. */
export function forgetful(resetAfter: (now: number) => number): CounterFactory {
  return (limit, windowMs) => {
    let log = rollingLog(limit, windowMs);
    let epoch: number | null = null;
    const current = (now: number) => {
      const at = resetAfter(now);
      if (at !== epoch) log = rollingLog(limit, windowMs);
      epoch = at;
      return log;
    };
    return {
      waitMs: (now) => current(now).waitMs(now),
      record: (now) => {
        current(now).record(now);
      },
      remove: (at) => log.remove(at),
    };
  };
}
