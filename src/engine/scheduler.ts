import { TaskProgress, type Turn } from './turn.ts';

/** Something to do. */
export interface Task {
  /** What may be under way beside it: other tasks; only such as rest, which go on when it is done; or nothing at all. It may change until it begins. */
  readonly beside: 'others' | 'resting' | 'nothing';
  /** Begins before others also where the longest go first. */
  readonly isFirst?: boolean;
  /** A late task begins when no early one is under way or to come. */
  readonly when?: 'early' | 'late' | 'any';
  readonly run: (turn: Turn) => Promise<void>;
  /** Whether it could go on to its end without waiting for room to send. */
  readonly hasRoom: () => boolean;
  /** How long it takes, in any unit. */
  readonly size?: number;
  /** Makes room, as far as that is possible while nothing is under way; what is still missing it waits for as it goes. */
  readonly makeRoom: () => Promise<void>;
}

/** Tasks under way for each that may be at work; the others wait for something. */
const underWay = 4;

/**
 * Runs tasks in order, at most `width` at work at a time. One that waits makes way for the next that can go on, and so
 * does one that has to be alone, as long as it cannot.
 */
export class Scheduler {
  readonly #width: () => number;
  readonly #longestFirst: () => boolean;
  readonly #queue: Task[] = [];
  readonly #open = new Map<TaskProgress, Task>();
  /** The task under way that has to be alone. */
  #alone: TaskProgress | null = null;
  /** A task that begins as soon as those at work rest or end. */
  #expected: Task | null = null;
  #isMakingRoom = false;
  #failure: { readonly error: unknown } | null = null;
  #idle: (() => void)[] = [];
  #rested: (() => void)[] = [];

  /**
   * `width` is asked for whenever a task may begin: it may change during the run. So may `longestFirst`: what takes longest begins first,
   * and what has to be alone waits until all others have begun, so that nobody waits for the end of a long task.
   */
  constructor(width: () => number, longestFirst: () => boolean = () => false) {
    [this.#width, this.#longestFirst] = [width, longestFirst];
  }

  add(task: Task): void {
    this.#queue.push(task);
    // Of several that are added in turn, the one that can go on begins.
    queueMicrotask(() => this.#start());
  }

  /** Resolves when nothing is under way or left; rejects with the first error, after all tasks have ended. */
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

  /** The first task that may begin; null where all have to wait. */
  #next(): Task | null {
    this.#expected = null;
    if (this.#alone || this.#isMakingRoom) return null;
    for (const task of this.#candidates()) {
      if (this.#mayBegin(task)) return task;
      // Those at work are soon at rest, but for one that waits for room, which may take a minute.
      const isNear = task.beside === 'resting' && [...this.#open.keys()].every(({ isPaused }) => !isPaused);
      if (isNear) {
        this.#expected = task;
        return null;
      }
    }
    return null;
  }

  /** Those that could go on if they began, in the order in which they are to begin. */
  #candidates(): Iterable<Task> {
    if (!this.#longestFirst()) return this.#ready();
    const ready = [...this.#ready()];
    if (ready.some(({ isFirst }) => isFirst === true)) return ready.filter(({ isFirst }) => isFirst === true);
    const shared = ready.filter(({ beside }) => beside === 'others');
    return shared.length > 0 ? shared.toSorted((one, other) => sizeOf(other) - sizeOf(one)) : ready;
  }

  *#ready(): Iterable<Task> {
    for (const task of this.#queue) if (task.hasRoom() && !this.#isTooSoon(task)) yield task;
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

  /** Those that have rested go on before the next one is alone, so that none of them waits for more than one. */
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
