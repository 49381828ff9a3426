import type { Exchange } from '../core/evidence.ts';
import { decisionOf, type Decision } from '../judge/limits/decision.ts';

/** The limiter's decisions about all requests of each key, in the order of their answers. */
export class DecisionLog {
  readonly #decisions = new Map<string, Decision[]>();

  note(exchange: Exchange): void {
    const decision = decisionOf(exchange);
    if (exchange.key === null || !decision) return;
    const known = this.#decisions.get(exchange.key);
    if (known) known.push(decision);
    else this.#decisions.set(exchange.key, [decision]);
  }

  /** Decisions about a key, by its label. */
  of(label: string): readonly Decision[] {
    return this.#decisions.get(label) ?? [];
  }
}
