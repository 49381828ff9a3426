import { automatedProgress, moveAttempt, type Mover } from './progress.ts';
import type { Attempt } from './records.ts';

const START_DELAY_MS = 2_000;
const CHECKIN_MS = 30_000;

/** The simulated airline: it checks complete attempts in as soon as their window is open. */
export class Automation {
  readonly #mover: Mover;
  #manual = false;

  constructor(mover: Mover) {
    this.#mover = mover;
  }

  /** `manual`: attempts move only by the state handler. */
  setMode(mode: 'manual' | 'auto', attempts: Iterable<Attempt>): void {
    this.#manual = mode === 'manual';
    if (!this.#manual) for (const attempt of attempts) this.plan(attempt);
  }

  /** When the automation is due to look at an attempt: at the opening of the window, or at once inside it. */
  dueAt(attempt: Attempt): number {
    return Math.max(this.#mover.clock.now(), attempt.departsAt - this.#mover.policy.windowMs);
  }

  /** Queues an attempt for its window; called whenever its state or its data changed. */
  plan(attempt: Attempt): void {
    const { status } = attempt.progress;
    if (status === 'SCHEDULED')
      this.#at(attempt, this.dueAt(attempt) + START_DELAY_MS, () => this.start(attempt));
    if (status === 'IN_PROGRESS') {
      this.#at(attempt, this.#mover.clock.now() + CHECKIN_MS, () => this.#move(attempt, 'COMPLETED'));
    }
  }

  /** Starts the check-in of a complete attempt. */
  start(attempt: Attempt): void {
    if (attempt.progress.missing.length > 0 && !this.#mover.policy.startsIncomplete) return;
    this.#move(attempt, 'IN_PROGRESS');
    this.plan(attempt);
  }

  /** Whether the automation would work on this attempt now. */
  isDue(attempt: Attempt): boolean {
    return !this.#manual && attempt.departsAt - this.#mover.policy.windowMs <= this.#mover.clock.now();
  }

  #move(attempt: Attempt, status: 'IN_PROGRESS' | 'COMPLETED'): void {
    moveAttempt(attempt, automatedProgress(attempt, status, this.#mover.policy), 'automation', this.#mover);
  }

  /** A step is skipped if the attempt was moved, replaced or dropped since it was planned. */
  #at(attempt: Attempt, due: number, step: () => void): void {
    const { revision } = attempt;
    this.#mover.clock.at(due, () => {
      if (!this.#manual && attempt.revision === revision) step();
    });
  }
}
