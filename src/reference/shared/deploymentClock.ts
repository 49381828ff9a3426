import type { Clock } from '../../core/clock.ts';

interface Task {
  readonly due: number;
  readonly order: number;
  readonly run: () => Promise<void> | void;
  cancelled: boolean;
}

/** `setTimeout` takes no more than this. */
const LONGEST_TIMER_MS = 2_147_000_000;

/** The deployment's own time: the base clock plus what `advance` has added, with the tasks that wait for it. */
export class DeploymentClock implements Clock {
  readonly #base: Clock;
  #offset = 0;
  #order = 0;
  readonly #tasks: Task[] = [];
  #disarm: (() => void) | null = null;
  #armedFor = Infinity;

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  /** The time without what `advance` has added. */
  machineNow(): number {
    return this.#base.now();
  }

  monotonic(): number {
    return this.#base.monotonic() + this.#offset;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#base.sleep(ms, signal);
  }

  timer(ms: number, task: () => void): () => void {
    return this.at(this.now() + ms, task);
  }

  /** Runs `task` at an instant of the deployment's time, in the background; returns its cancel. */
  at(due: number, run: () => Promise<void> | void): () => void {
    const task: Task = { due, order: this.#order++, run, cancelled: false };
    this.#tasks.splice(insertionPoint(this.#tasks, task), 0, task);
    this.#arm();
    return () => {
      task.cancelled = true;
    };
  }

  /** Moves time forward; what falls due on the way has run and `settle`d, in order, when it resolves. */
  async advance(ms: number, settle: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await settle();
    const target = this.now() + ms;
    for (let task = this.#takeDue(target); task; task = this.#takeDue(target)) {
      this.#offset += Math.max(0, task.due - this.now());
      await task.run();
      await settle();
    }
    this.#offset += Math.max(0, target - this.now());
    this.#rearm();
  }

  /** Forgets every task. */
  close(): void {
    this.#tasks.length = 0;
    this.#rearm();
  }

  #takeDue(until: number): Task | undefined {
    const next = this.#tasks[0];
    if (!next || next.due > until) return undefined;
    this.#tasks.shift();
    return next.cancelled ? this.#takeDue(until) : next;
  }

  #arm(): void {
    const next = this.#tasks[0];
    if (!next || (this.#disarm && this.#armedFor <= next.due)) return;
    this.#disarm?.();
    this.#armedFor = next.due;
    const delay = Math.min(LONGEST_TIMER_MS, Math.max(0, next.due - this.now()));
    this.#disarm = this.#base.timer(delay, () => this.#wake());
  }

  /** A timer that was set before time was moved would fire too late, and meanwhile count as set. */
  #rearm(): void {
    this.#disarm?.();
    this.#disarm = null;
    this.#armedFor = Infinity;
    this.#arm();
  }

  #wake(): void {
    this.#disarm = null;
    this.#armedFor = Infinity;
    for (let task = this.#takeDue(this.now()); task; task = this.#takeDue(this.now())) void task.run();
    this.#arm();
  }
}

/** Where a task belongs in the list that is sorted by due time, then by order of arrival. */
function insertionPoint(tasks: readonly Task[], task: Task): number {
  let low = 0;
  let high = tasks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tasks[middle]?.due ?? Infinity) <= task.due) low = middle + 1;
    else high = middle;
  }
  return low;
}
