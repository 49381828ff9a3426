import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { tokensOf } from './addresses.ts';

/** Most deliveries that wait for the answer to their registration, which may never come. */
const mostEarly = 1_000;

/**
 * What is registered at each address. Deliveries are handed out once it is known whose they are: one may come before the
 * subscribe is answered, also where the address was registered before.
 */
export class Registered<R> {
  readonly #byToken = new RecentMap<string, readonly R[]>();
  readonly #isDue: (delivery: Delivery, registered: readonly R[]) => boolean;
  #early: readonly Delivery[] = [];

  constructor(isDue: (delivery: Delivery, registered: readonly R[]) => boolean) {
    this.#isDue = isDue;
  }

  get forgotten(): number {
    return this.#byToken.forgotten;
  }

  of({ registration }: Pick<Delivery, 'registration'>): readonly R[] {
    return this.#byToken.get(registration) ?? none;
  }

  /** Adds to what is registered at an address, or changes it. */
  change(url: string, changed: (registered: readonly R[]) => readonly R[]): void {
    for (const token of tokensOf(url)) this.#byToken.set(token, changed(this.of({ registration: token })));
  }

  deliver(delivery: Delivery): readonly Delivery[] {
    if (this.#areDue(delivery)) return [delivery];
    this.#early = [...this.#early, delivery].slice(-mostEarly);
    return none;
  }

  /** Those that waited for what was learned since. */
  due(): readonly Delivery[] {
    return this.#take((delivery) => this.#areDue(delivery));
  }

  /** At the end nothing more can explain what is left. */
  end(): readonly Delivery[] {
    return this.#take((delivery) => this.of(delivery).length > 0);
  }

  #areDue(delivery: Delivery): boolean {
    const registered = this.of(delivery);
    return registered.length > 0 && this.#isDue(delivery, registered);
  }

  #take(isTaken: (delivery: Delivery) => boolean): readonly Delivery[] {
    if (this.#early.length === 0) return none;
    const taken = this.#early.filter(isTaken);
    if (taken.length > 0) this.#early = this.#early.filter((one) => !taken.includes(one));
    return taken;
  }
}

const none: readonly never[] = Object.freeze([]);
