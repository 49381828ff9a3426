import { TaskProgress, type Turn } from '../attempt/turn.ts';

/** Something to do. */
export interface Task {
  /**
   * What may run at the same time: other tasks; only resting ones, which continue when it is done; or nothing at all. It may
   * change until the task starts.
   */
  readonly beside: 'others' | 'resting' | 'nothing';
  /** Starts before others, even if the longest tasks go first. */
  readonly isFirst?: boolean;
  /** A late task starts when no early one is running or waiting. */
  readonly when?: 'early' | 'late' | 'any';
  readonly run: (turn: Turn) => Promise<void>;
  /** Whether it could run to its end without waiting for room to send. */
  readonly hasRoom: () => boolean;
  /** How long it takes, in any unit. */
  readonly size?: number;
  /** Makes room, as far as possible while nothing is running; for the rest it waits as it goes. */
  readonly makeRoom: () => Promise<void>;
}

/** Number of started tasks for each that may be working; the others are waiting for something. */
const underWay = 4;

/**
 * Runs tasks in order, at most `width` at a time. A task that waits makes way for the next one that can run, and so does one
 * that has to be alone, as long as it cannot be.
 */
export class Scheduler {
  readonly #width: () => number;
  readonly #longestFirst: () => boolean;
  readonly #queue: Task[] = [];
  readonly #open = new Map<TaskProgress, Task>();
  /** The running task that has to be alone. */
  #alone: TaskProgress | null = null;
  /** A task that starts as soon as the working ones rest or end. */
  #expected: Task | null = null;
  #isMakingRoom = false;
  #failure: { readonly error: unknown } | null = null;
  #idle: (() => void)[] = [];
  #rested: (() => void)[] = [];

  /**
   * `width` is called whenever a task may start: it may change during the run. So may `longestFirst`: then the longest tasks
   * start first, and those that have to be alone wait until all others have started, so that nothing waits for the end of a long
   * task.
   */
  constructor(width: () => number, longestFirst: () => boolean = () => false) {
    [this.#width, this.#longestFirst] = [width, longestFirst];
  }

  add(task: Task): void {
    this.#queue.push(task);
    // If several are added in turn, the first that can run starts.
    queueMicrotask(() => this.#start());
  }

  /** Resolves once nothing is running or left; rejects with the first error, after all tasks have ended. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#failure) throw this.#failure.error;
  }

  get #isIdle(): boolean {
    return this.#open.size === 0 && this.#queue.length === 0 && !this.#isMakingRoom;
  }

  #start(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) this.#begin(next);
    const [first] = this.#queue;
    if (first && this.#open.size === 0 && !this.#isMakingRoom) void this.#makeRoomFor(first);
    if (!this.#alone && !this.#expected) this.#goOn();
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The first task that may start; null if all have to wait. */
  #next(): Task | null {
    this.#expected = null;
    if (this.#alone || this.#isMakingRoom) return null;
    for (const task of this.#candidates()) {
      if (this.#mayBegin(task)) return task;
      if (this.#isNear(task)) {
        this.#expected = task;
        return null;
      }
    }
    return null;
  }

  /** Whether it may begin soon: working tasks will rest, except one that waits for room, which may take a minute. */
  #isNear({ beside }: Task): boolean {
    return beside === 'resting' && [...this.#open.keys()].every(({ isPaused }) => !isPaused);
  }

  /** Tasks that could run to the end, in the order in which they are to start. */
  #candidates(): Iterable<Task> {
    if (!this.#longestFirst()) return this.#startable();
    const ready = [...this.#ready()];
    if (ready.some(({ isFirst }) => isFirst === true)) return ready.filter(({ isFirst }) => isFirst === true);
    const shared = ready.filter(({ beside }) => beside === 'others');
    return shared.length > 0 ? shared.toSorted((one, other) => sizeOf(other) - sizeOf(one)) : ready;
  }

  /** Asks for room, which takes longest, only where a task could use it. */
  *#startable(): Iterable<Task> {
    const may = new Map<Task['beside'], boolean>();
    for (const task of this.#queue) {
      const { beside } = task;
      if (!may.has(beside)) may.set(beside, this.#mayBegin(task) || this.#isNear(task));
      if (may.get(beside) === true && this.#isReady(task)) yield task;
    }
  }

  #isReady(task: Task): boolean {
    return task.hasRoom() && !this.#isTooSoon(task);
  }

  *#ready(): Iterable<Task> {
    for (const task of this.#queue) if (this.#isReady(task)) yield task;
  }

  #isTooSoon(task: Task): boolean {
    const isEarly = ({ when }: Task) => when === 'early';
    return task.when === 'late' && (this.#queue.some(isEarly) || [...this.#open.values()].some(isEarly));
  }

  #mayBegin({ beside }: Task): boolean {
    const open = [...this.#open.keys()];
    if (beside === 'nothing') return open.length === 0;
    if (beside === 'resting') return open.every(({ isResting }) => isResting);
    const atWork = open.filter(({ isWaiting }) => !isWaiting).length;
    const width = this.#width();
    return atWork < width && open.length < width * underWay;
  }

  #begin(task: Task): void {
    this.#queue.splice(this.#queue.indexOf(task), 1);
    const progress: TaskProgress = new TaskProgress({
      onWait: () => this.#start(),
      mayGoOn: (goOn) => this.#whenNobodyElseIsAlone(progress, goOn),
    });
    this.#open.set(progress, task);
    if (task.beside !== 'others') this.#alone = progress;
    void this.#run(task, progress);
  }

  async #run(task: Task, progress: TaskProgress): Promise<void> {
    try {
      await task.run(progress);
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#open.delete(progress);
      if (this.#alone === progress) this.#endAlone();
      this.#start();
    }
  }

  async #makeRoomFor(task: Task): Promise<void> {
    this.#isMakingRoom = true;
    try {
      await task.makeRoom();
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#isMakingRoom = false;
    }
    this.#begin(task);
    this.#start();
  }

  /** Rested tasks continue before the next one is alone, so that none of them waits for more than one. */
  #endAlone(): void {
    this.#alone = null;
    this.#goOn();
  }

  #goOn(): void {
    for (const goOn of this.#rested.splice(0)) goOn();
  }

  async #whenNobodyElseIsAlone(progress: TaskProgress, goOn: () => void): Promise<void> {
    if (!this.#expected && (!this.#alone || this.#alone === progress)) {
      goOn();
      return;
    }
    await new Promise<void>((resolve) =>
      this.#rested.push(() => {
        goOn();
        resolve();
      }),
    );
  }
}

function sizeOf({ size = 0 }: Task): number {
  return size;
}
