/** Where partners wait for each other, so that all of them go on at once. */
export class Rally {
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

  /** No partner begins any more. */
  lastBegun(): void {
    this.#isLastBegun = true;
    this.#release();
  }

  /** All go on, whoever is missing. */
  open(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const go of all) go();
  }

  /** Resolves when all who are under way are here. */
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
