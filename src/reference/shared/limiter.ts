import type { CounterFactory, WindowCounter } from './windowCounters.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface RateLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

type Admission =
  | { readonly admitted: true; readonly at: number }
  | { readonly admitted: false; readonly waitMs: number; readonly windowMs: number };

interface Counters {
  readonly minute: WindowCounter;
  readonly hour: WindowCounter;
  readonly enterprise: string | null;
}

/** The two limits, applied independently to each scope (Limits: 60 in a rolling minute, 1000 in a rolling hour). */
export class RateLimiter {
  readonly #scopes = new Map<string, Counters>();
  readonly #sharedHours = new Map<string, WindowCounter>();
  readonly #make: (enterprise: string | null) => Counters;

  constructor(limits: RateLimits, minute: CounterFactory, hour: CounterFactory, sharesHour = false) {
    const newHour = () => hour(limits.perHour, HOUR_MS);
    const hourOf = (enterprise: string) => {
      const known = this.#sharedHours.get(enterprise) ?? newHour();
      this.#sharedHours.set(enterprise, known);
      return known;
    };
    this.#make = (enterprise) => ({
      minute: minute(limits.perMinute, MINUTE_MS),
      hour: sharesHour && enterprise !== null ? hourOf(enterprise) : newHour(),
      enterprise,
    });
  }

  /** Whether a request may pass now; nothing is recorded. */
  look(scope: string, enterprise: string | null, now: number): Admission {
    const counters = this.#of(scope, enterprise);
    const minute = counters.minute.waitMs(now);
    const hour = counters.hour.waitMs(now);
    if (minute <= 0 && hour <= 0) return { admitted: true, at: now };
    return { admitted: false, waitMs: Math.max(minute, hour), windowMs: hour > minute ? HOUR_MS : MINUTE_MS };
  }

  record(scope: string, enterprise: string | null, now: number): void {
    const counters = this.#of(scope, enterprise);
    counters.minute.record(now);
    counters.hour.record(now);
  }

  remove(scope: string, at: number): void {
    this.#scopes.get(scope)?.minute.remove(at);
    this.#scopes.get(scope)?.hour.remove(at);
  }

  /** Forgets what the keys of an enterprise have used. */
  reset(enterprise: string): void {
    for (const [scope, counters] of this.#scopes) {
      if (counters.enterprise === enterprise) this.#scopes.delete(scope);
    }
  }

  #of(scope: string, enterprise: string | null): Counters {
    const known = this.#scopes.get(scope);
    if (known) return known;
    const made = this.#make(enterprise);
    this.#scopes.set(scope, made);
    return made;
  }
}
