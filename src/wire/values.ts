import { canonical, type Json } from './json.ts';

/** Values that were seen at one place, by what they are about. */
export class ValueBook {
  readonly #last = new Map<string, { readonly subject: string; readonly value: Json }[]>();
  readonly #histories = new Map<string, { readonly value: Json; readonly before: Json | undefined }>();

  note(place: string, subject: string, value: Json): void {
    const name = `${place} ${subject}`;
    const known = this.#histories.get(name);
    if (!known) this.#histories.set(name, { value, before: undefined });
    else if (canonical(known.value) !== canonical(value))
      this.#histories.set(name, { value, before: known.value });
    const others = this.#last.get(place) ?? [];
    this.#last.set(
      place,
      [{ subject, value }, ...others.filter((one) => one.subject !== subject)].slice(0, 2),
    );
  }

  /** The last value that was about something else; undefined where there was none. */
  ofAnother(place: string, subject: string): Json | undefined {
    return this.#last.get(place)?.find((one) => one.subject !== subject)?.value;
  }

  /** The value that this place had before the one that it has; undefined where it never had another. */
  before(place: string, subject: string, value: Json): Json | undefined {
    const known = this.#histories.get(`${place} ${subject}`);
    return known && canonical(known.value) !== canonical(value) ? known.value : known?.before;
  }
}
