import type { Html } from '../../html/html.ts';

/** Number of rows that are added at a time. */
const step = 100;

/** A long list that shows its beginning at first, and more as one scrolls. */
export class GrowingList<T> {
  readonly box: HTMLElement;
  readonly #render: (item: T) => Html;
  readonly #more: HTMLButtonElement;
  #items: readonly T[] = [];
  #shown = 0;

  constructor(box: HTMLElement, more: HTMLButtonElement, render: (item: T) => Html) {
    [this.box, this.#more, this.#render] = [box, more, render];
    more.addEventListener('click', () => this.grow(step));
    new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) this.grow(step);
    }).observe(more);
  }

  show(items: readonly T[]): void {
    this.#items = items;
    this.#shown = 0;
    this.box.replaceChildren();
    this.grow(step);
  }

  /** Shows at least the rows up to `place`. */
  reach(place: number): void {
    if (place >= this.#shown) this.grow(place + step - this.#shown);
  }

  grow(count: number): void {
    const next = this.#items.slice(this.#shown, this.#shown + count);
    this.#shown += next.length;
    if (next.length > 0)
      this.box.insertAdjacentHTML('beforeend', next.map((item) => this.#render(item).markup).join(''));
    this.#more.hidden = this.#shown >= this.#items.length;
    this.#more.textContent = `${this.#items.length - this.#shown} more`;
  }
}
