import type { Enterprise } from '../shared/keys.ts';
import type { Attempt } from './records.ts';

/** The check-in requests of a deployment. */
export class AttemptStore {
  readonly #byId = new Map<string, Attempt>();
  /** Several of different enterprises where each numbers its own. */
  readonly #byBookingId = new Map<string, readonly Attempt[]>();
  readonly #byBooking = new Map<string, Attempt>();
  readonly #bookingOf = new Map<Attempt, string>();
  readonly #unlisted = new WeakSet<Attempt>();

  findById(checkinId: string): Attempt | undefined {
    return this.#byId.get(checkinId);
  }

  /** The enterprise's own attempt of this number, else whichever has it. */
  findByBookingId(bookingId: string, enterprise: Enterprise): Attempt | undefined {
    const found = this.#byBookingId.get(bookingId) ?? [];
    return found.find((attempt) => attempt.enterprise === enterprise) ?? found[0];
  }

  /** The attempt of a booking, by its identity within its scope. */
  findByBooking(identity: string): Attempt | undefined {
    return this.#byBooking.get(identity);
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Whether an attempt was added when there were that many already. */
  isAfter(attempt: Attempt, size: number): boolean {
    return [...this.#byId.values()].indexOf(attempt) >= size;
  }

  all(): Iterable<Attempt> {
    return this.#byId.values();
  }

  add(attempt: Attempt, identity: string): void {
    this.#byId.set(attempt.checkinId, attempt);
    const number = String(attempt.bookingId);
    this.#byBookingId.set(number, [...(this.#byBookingId.get(number) ?? []), attempt]);
    this.rename(attempt, identity);
  }

  /** Files an attempt under another booking identity. */
  rename(attempt: Attempt, identity: string): void {
    const before = this.#bookingOf.get(attempt);
    if (before !== undefined && this.#byBooking.get(before) === attempt) this.#byBooking.delete(before);
    this.#byBooking.set(identity, attempt);
    this.#bookingOf.set(attempt, identity);
  }

  /** Drops what a key made, or only takes it out of the list, or ends its callbacks. */
  dropMadeWith(apiKey: string, what: 'its records' | 'their place in the list' | 'their webhooks'): void {
    for (const attempt of [...this.#byId.values()]) {
      if (attempt.apiKey !== apiKey) continue;
      if (what === 'its records') this.#drop(attempt);
      else if (what === 'their webhooks') attempt.callback = null;
      else this.#unlisted.add(attempt);
    }
  }

  /** What lists show. */
  listed(): readonly Attempt[] {
    return [...this.#byId.values()].filter((attempt) => !this.#unlisted.has(attempt));
  }

  dropOf(enterprise: Enterprise): void {
    for (const attempt of [...this.#byId.values()]) {
      if (attempt.enterprise === enterprise) this.#drop(attempt);
    }
  }

  #drop(attempt: Attempt): void {
    this.#byId.delete(attempt.checkinId);
    const number = String(attempt.bookingId);
    const others = (this.#byBookingId.get(number) ?? []).filter((one) => one !== attempt);
    this.#byBookingId.set(number, others);
    const identity = this.#bookingOf.get(attempt);
    if (identity !== undefined && this.#byBooking.get(identity) === attempt) this.#byBooking.delete(identity);
    this.#bookingOf.delete(attempt);
    attempt.revision += 1;
  }
}
