import type { Delivery } from '../core/evidence.ts';
import type { Sink } from '../receive/sink.ts';

/** Passes each callback of a load to everyone who waits for one, judges first. */
export class DeliveryHub {
  readonly #listeners: ((delivery: Delivery) => void)[] = [];
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(sink: Sink | null) {
    sink?.inbox.listen((delivery) => this.#take(delivery));
  }

  add(listener: (delivery: Delivery) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `wake` at each delivery to this address, until the returned function is called. */
  watch(registration: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(registration) ?? new Set();
    this.#waiting.set(registration, waiting.add(wake));
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(registration);
    };
  }

  #take(delivery: Delivery): void {
    for (const listener of this.#listeners) listener(delivery);
    for (const wake of this.#waiting.get(delivery.registration) ?? []) wake();
  }
}
