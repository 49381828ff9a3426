/** How a task waits without holding up others. */
export interface Turn {
  /** Waits for time to pass or for something to come, while others continue, including those that have to be alone. */
  readonly rest: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Waits for room to send, while others continue. */
  readonly pause: <T>(wait: () => Promise<T>) => Promise<T>;
}

interface ProgressOptions {
  /** Called when it starts to wait. */
  readonly onWait: () => void;
  /** Calls `goOn` as soon as a rested task may continue, and then resolves. */
  readonly mayGoOn: (goOn: () => void) => Promise<void>;
}

/** The state of a task: working, or waiting in one of two ways. Several waits at once count as one. */
export class TaskProgress implements Turn {
  readonly #options: ProgressOptions;
  #rests = 0;
  #pauses = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  get isWaiting(): boolean {
    return this.#rests + this.#pauses > 0;
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  /** Nothing of it happens until it may continue. */
  get isResting(): boolean {
    return this.#rests > 0 && this.#pauses === 0;
  }

  readonly rest = async <T>(wait: () => Promise<T>): Promise<T> => {
    this.#rests += 1;
    this.#options.onWait();
    try {
      return await wait();
    } finally {
      await this.#options.mayGoOn(() => {
        this.#rests -= 1;
      });
    }
  };

  readonly pause = async <T>(wait: () => Promise<T>): Promise<T> => {
    this.#pauses += 1;
    this.#options.onWait();
    try {
      return await wait();
    } finally {
      this.#pauses -= 1;
    }
  };
}
