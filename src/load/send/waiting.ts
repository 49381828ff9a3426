import type { OperationId } from '../../core/operations.ts';

/** A request that was sent and not answered yet. */
export interface OpenRequest {
  readonly operation: OperationId | null;
  /** Its intended time, on the monotonic clock. */
  readonly since: number;
}

/** How long a request has waited for its answer so far, from its intended time. */
export interface Wait {
  readonly operation: OperationId | null;
  readonly waitedMs: number;
}

/** The requests of a load that are under way, in this process and in others that send it. */
export class Waiting {
  readonly #open = new Set<OpenRequest>();
  /** By sender, as it last reported. */
  readonly #elsewhere = new Map<unknown, readonly Wait[]>();

  get count(): number {
    return [...this.#elsewhere.values()].reduce((sum, { length }) => sum + length, this.#open.size);
  }

  open(request: OpenRequest): void {
    this.#open.add(request);
  }

  close(request: OpenRequest): void {
    this.#open.delete(request);
  }

  /** How long each has waited at least; those of other processes as they were when these last said it. */
  waits(now: number): readonly Wait[] {
    const own = Array.from(this.#open, ({ operation, since }) => ({ operation, waitedMs: now - since }));
    return [...own, ...[...this.#elsewhere.values()].flat()];
  }

  /** What another sender waits for. */
  tell(sender: unknown, waits: readonly Wait[]): void {
    this.#elsewhere.set(sender, waits);
  }
}
