import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { mostShort, shortBytes } from '../core/bytes.ts';

const known = new WeakMap<Uint8Array, string>();

/** A digest that identifies the content of a long body; null for a short one. */
export function contentOf(body: Uint8Array): string | null {
  if (body.length < shortBytes) return null;
  let content = known.get(body);
  if (content === undefined) known.set(body, (content = hash('sha256', body)));
  return content;
}

/**
 * Bodies with the same content are one object, so that whatever is read of it is read once: long ones as long as any of them is used,
 * short ones while they keep coming.
 */
export class SharedBodies {
  /** By their checksums: of two bodies with the same one, only the latest is known. */
  readonly #short = new Map<number, Buffer>();
  readonly #bodies = new Map<string, WeakRef<Uint8Array>>();
  readonly #gone = new FinalizationRegistry<string>((content) => {
    if (this.#bodies.get(content)?.deref() === undefined) this.#bodies.delete(content);
  });

  /** The earlier body with the same content, else this one. */
  share(body: Uint8Array): Uint8Array {
    const content = contentOf(body);
    if (content === null) return this.#shareShort(body);
    const before = this.#bodies.get(content)?.deref();
    if (before !== undefined) return before;
    this.#bodies.set(content, new WeakRef(body));
    this.#gone.register(body, content);
    return body;
  }

  #shareShort(body: Uint8Array): Uint8Array {
    const checksum = crc32(body);
    const before = this.#short.get(checksum);
    if (before?.equals(body) === true) return before;
    if (this.#short.size >= mostShort) this.#short.clear();
    // A part of what a socket read would keep all of it in memory.
    const own = Buffer.from(body);
    this.#short.set(checksum, own);
    return own;
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
