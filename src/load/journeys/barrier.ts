/** A point at which partners wait for each other, so that all continue at once. */
export class Barrier {
  #underWay = 0;
  #isLastBegun = false;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
    this.#release();
  }

  /** No more partners start. */
  lastBegun(): void {
    this.#isLastBegun = true;
    this.#release();
  }

  /** Lets everyone continue, even if some are missing. */
  open(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const go of all) go();
  }

  /** Resolves once all running partners are here. */
  come(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#release();
    });
  }

  #release(): void {
    if (this.#isLastBegun && this.#waiting.length >= this.#underWay) this.open();
  }
}
