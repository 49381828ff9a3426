import type { JsonObject } from '../../trace/json.ts';

/** How many deliveries are pending is asked all the time: evidence are the looks that find none, and the first after them. */
export class PendingLooks {
  #wasEmpty = false;

  isNews({ pending }: JsonObject): boolean {
    const isNews = pending === 0 || this.#wasEmpty;
    this.#wasEmpty = pending === 0;
    return isNews;
  }
}
