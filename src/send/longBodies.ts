import { hash } from 'node:crypto';

/** From so many bytes on a body is long: to keep a shorter one twice costs less than to tell it from others. */
const longBytes = 16_384;

const known = new WeakMap<Uint8Array, string>();

/** What is the same for long bodies of the same content only; null for a short one. */
export function contentOf(body: Uint8Array): string | null {
  if (body.length < longBytes) return null;
  let content = known.get(body);
  if (content === undefined) known.set(body, (content = hash('sha256', body)));
  return content;
}

/** Long bodies of the same content are one in memory, for as long as any of them is used. */
export class SharedBodies {
  readonly #bodies = new Map<string, WeakRef<Uint8Array>>();
  readonly #gone = new FinalizationRegistry<string>((content) => {
    if (this.#bodies.get(content)?.deref() === undefined) this.#bodies.delete(content);
  });

  /** The body that came before with this content, else this one. */
  share(body: Uint8Array): Uint8Array {
    const content = contentOf(body);
    if (content === null) return body;
    const before = this.#bodies.get(content)?.deref();
    if (before !== undefined) return before;
    this.#bodies.set(content, new WeakRef(body));
    this.#gone.register(body, content);
    return body;
  }
}

/** Where long bodies stand in a journal, by the ids of what first had them. */
export class RecordedBodies {
  readonly #ids = new Map<string, string>();

  /** The id of what is on record with the same body; null for a short one, and for a new one, which is under `id` now. */
  placeOf(body: Uint8Array, id: string): string | null {
    const content = contentOf(body);
    if (content === null) return null;
    const place = this.#ids.get(content) ?? null;
    if (place === null) this.#ids.set(content, id);
    return place;
  }
}
