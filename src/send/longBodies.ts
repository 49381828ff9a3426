import { hash } from 'node:crypto';

/** Bodies from this size on are stored once: storing a shorter one twice costs less than comparing it. */
const longBytes = 16_384;

const known = new WeakMap<Uint8Array, string>();

/** A digest that identifies the content of a long body; null for a short one. */
export function contentOf(body: Uint8Array): string | null {
  if (body.length < longBytes) return null;
  let content = known.get(body);
  if (content === undefined) known.set(body, (content = hash('sha256', body)));
  return content;
}

/** Long bodies with the same content share memory, as long as any of them is used. */
export class SharedBodies {
  readonly #bodies = new Map<string, WeakRef<Uint8Array>>();
  readonly #gone = new FinalizationRegistry<string>((content) => {
    if (this.#bodies.get(content)?.deref() === undefined) this.#bodies.delete(content);
  });

  /** The earlier body with the same content, else this one. */
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

/** Where long bodies are recorded in a journal, by the ids of the messages that first had them. */
export class RecordedBodies {
  readonly #ids = new Map<string, string>();

  /**
   * The id of the message that is recorded with the same body; null for a short body, and for a new one, which is now recorded
   * under `id`.
   */
  placeOf(body: Uint8Array, id: string): string | null {
    const content = contentOf(body);
    if (content === null) return null;
    const place = this.#ids.get(content) ?? null;
    if (place === null) this.#ids.set(content, id);
    return place;
  }
}
