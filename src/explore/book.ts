import type { ApiKey } from '../send/keyRing.ts';
import type { JsonObject } from '../spec/kit/json.ts';

/** Whose records these are: the enterprise of the run, another one, or one that was made for the occasion. */
export type Home = 'primary' | 'other' | { readonly keys: readonly ApiKey[] };

/** Where a record can be looked at. */
export type Look = 'status' | 'list';

/** A record that the explorer made. */
export interface Own {
  readonly id: string;
  readonly bookingId: number | string | null;
  readonly home: Home;
  /** What was sent, and with which key. */
  readonly body: JsonObject;
  readonly key: string | null;
  /** The status that was shown or set last. */
  status: string | null;
  /** Whether nothing was missing when it was made, and no update was sent since. */
  isComplete: boolean;
  /** What happened to it that nobody has looked at since, by where one looks. */
  readonly unseen: Readonly<Record<Look, Set<string>>>;
  touchedAt: number;
  /** How often something was done to it, apart from reads. */
  touches: number;
  /** The situations that made and changed it. */
  readonly story: string[];
}

/** Most records to choose from: the latest ones. */
const mostKept = 400;

/** The records of an exploration. It remembers what was done to them, and judges nothing. */
export class Book {
  readonly #records = new Map<string, Own>();

  add(
    made: Pick<Own, 'id' | 'bookingId' | 'home' | 'body' | 'key' | 'status' | 'isComplete'>,
    { what, at }: { readonly what: string; readonly at: number },
  ): Own {
    const known = this.#records.get(made.id);
    if (known) {
      this.touch(known, `repeat ${what}`, at);
      return known;
    }
    const unseen = { status: new Set([what]), list: new Set([what]) };
    const own: Own = { ...made, unseen, touchedAt: at, touches: 0, story: [] };
    this.#records.set(own.id, own);
    const [oldest] = this.#records.keys();
    if (this.#records.size > mostKept && oldest !== undefined) this.#records.delete(oldest);
    return own;
  }

  touch(own: Own, what: string, at: number): void {
    own.touchedAt = at;
    own.touches += 1;
    if (what.includes('update')) own.isComplete = false;
    own.unseen.status.add(what);
    own.unseen.list.add(what);
  }

  get all(): readonly Own[] {
    return [...this.#records.values()];
  }

  /** Those of which something is unseen. */
  get unseen(): readonly Own[] {
    return this.all.filter(({ unseen: { status, list } }) => status.size > 0 || list.size > 0);
  }

  get(id: string): Own | undefined {
    return this.#records.get(id);
  }

  of(home: Home): readonly Own[] {
    return this.all.filter((own) => own.home === home);
  }
}
