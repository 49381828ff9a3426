import { randomBytes } from 'node:crypto';
import type { MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import { Refusal } from './refusal.ts';

export interface Entitlement {
  status: 'active' | 'suspended' | 'none';
  included_units: number;
  consumed_units: number;
}

export interface Enterprise {
  readonly name: string;
  entitlement: Entitlement;
}

interface Key {
  enterprise: Enterprise;
  active: boolean;
  passed: number[];
}

export interface Limits {
  perMinute: number;
  perHour: number;
}

/** Enterprises, their keys, and what each key has used of its limits. */
export class Accounts {
  readonly #keys = new Map<string, Key>();
  readonly #clock: MovableClock;
  readonly #using: Conventions;
  readonly #windows: readonly { size: number; ms: number }[];

  constructor(clock: MovableClock, using: Conventions, { perMinute, perHour }: Limits) {
    this.#clock = clock;
    this.#using = using;
    this.#windows = [
      { size: perMinute, ms: 60_000 },
      { size: perHour, ms: 3_600_000 },
    ];
  }

  create(entitlement: Partial<Entitlement> = {}): Enterprise {
    const name = `ent_${randomBytes(5).toString('hex')}`;
    return {
      name,
      entitlement: { status: 'active', included_units: 5_000, consumed_units: 0, ...entitlement },
    };
  }

  issue(enterprise: Enterprise, text = `pk_test_${randomBytes(16).toString('hex')}`): string {
    this.#keys.set(text, { enterprise, active: true, passed: [] });
    return text;
  }

  find(text: string): Key | undefined {
    return this.#keys.get(text);
  }

  forget(enterprise: Enterprise): void {
    for (const key of this.#keys.values()) if (key.enterprise === enterprise) key.passed = [];
  }

  /** The enterprise of a request: refuses a key that is not active, and one that has used up a limit. */
  admit(text: string | undefined): { enterprise: Enterprise; headers: Record<string, string> } {
    if (text === undefined || text.trim() === '') throw this.#unauthorized('An API key is required.');
    const key = this.#keys.get(text.trim());
    if (!key?.active) throw this.#unauthorized('The API key is invalid.');
    return { enterprise: key.enterprise, headers: this.#count(key) };
  }

  #unauthorized(text: string): Refusal {
    return new Refusal(401, this.#using.unauthorized, text);
  }

  #count(key: Key): Record<string, string> {
    const now = this.#clock.now();
    const longest = 3_600_000 + 2_000;
    key.passed = key.passed.filter((at) => at > now - longest);
    const waits = this.#windows.map((window) => this.#wait(key.passed, now, window));
    const wait = Math.max(...waits);
    if (wait <= 0 || this.#using.refusedCount) key.passed.push(now);
    if (wait > 0) throw this.#limited(this.#using.refusedCount ? this.#longestWait(key.passed, now) : wait);
    return this.#rateHeaders(key.passed, now);
  }

  /** When a request that comes then passes both windows, if none comes until then. */
  #longestWait(passed: readonly number[], now: number): number {
    return Math.max(...this.#windows.map((window) => this.#wait(passed, now, window)));
  }

  #wait(passed: readonly number[], now: number, { size, ms }: { size: number; ms: number }): number {
    const last = passed.at(-size);
    if (last === undefined) return 0;
    const leaves = this.#using.limiter === 'log' ? last + ms : (Math.floor(last / 1_000) + 1) * 1_000 + ms;
    return leaves - now;
  }

  #limited(wait: number): Refusal {
    const seconds = Math.max(1, Math.ceil(wait / 1_000));
    const window = wait > 60_000 ? 3_600 : 60;
    const texts = { integer: seconds, text: String(seconds), fraction: Math.ceil(wait) / 1_000, window };
    const retryAfter = texts[this.#using.retryAfter];
    const headers = this.#using.retryHeader ? { 'retry-after': String(Math.ceil(Number(retryAfter))) } : {};
    return new Refusal(429, this.#using.tooMany, `Too many requests: wait ${seconds} s.`, {
      more: { retryAfter },
      headers,
    });
  }

  #rateHeaders(passed: readonly number[], now: number): Record<string, string> {
    const size = this.#windows[0]?.size ?? 60;
    const left = String(Math.max(0, size - passed.filter((at) => at > now - 60_000).length));
    if (this.#using.rateHeaders === 'x')
      return { 'x-ratelimit-limit': String(size), 'x-ratelimit-remaining': left };
    if (this.#using.rateHeaders === 'ietf')
      return { 'ratelimit-policy': `${size};w=60`, ratelimit: `limit=${size}, remaining=${left}, reset=60` };
    return {};
  }
}
