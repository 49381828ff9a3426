import { isItems, isMembers, type Json } from './json.ts';

/** Keys that are there before a run. */
export interface KnownKeys {
  readonly primary: readonly string[];
  readonly other: readonly string[];
  /** Keys that are refused, or that may not do everything. */
  readonly special: readonly string[];
}

type KeyKind = 'absent' | 'blank' | 'primary' | 'other' | 'special' | 'issued' | 'unknown';

/** Knows the keys of a run: those that are there before, and those that the state handler gives out. */
export class KeyBook {
  readonly #known: KnownKeys;
  /** The keys of one enterprise, by each of them. */
  readonly #issued = new Map<string, readonly string[]>();

  constructor(known: KnownKeys) {
    this.#known = known;
  }

  /** What the state handler was asked for, and what it answered. */
  noteState(params: unknown, answer: unknown): void {
    const keys = isMembers(answer) && isItems(answer.keys) ? answer.keys.filter(isText) : [];
    const asked = isMembers(params) && isText(params.key) ? params.key : null;
    const all = [...(asked === null ? [] : (this.#issued.get(asked) ?? [])), ...keys];
    for (const key of keys.length === 0 ? [] : all) this.#issued.set(key, all);
  }

  kindOf(key: string | null): KeyKind {
    const { primary, other, special } = this.#known;
    if (key === null) return 'absent';
    if (key.trim() === '') return 'blank';
    if (this.#issued.has(key)) return 'issued';
    if (primary.includes(key)) return 'primary';
    if (other.includes(key)) return 'other';
    return special.includes(key) ? 'special' : 'unknown';
  }

  /** The keys of the enterprise of this one, itself included, as far as they are known. */
  siblingsOf(key: string): readonly string[] {
    const { primary, other } = this.#known;
    return [primary, other].find((keys) => keys.includes(key)) ?? this.#issued.get(key) ?? [key];
  }

  /** The keys of another enterprise. */
  foreignTo(key: string | null): readonly string[] {
    const { primary, other } = this.#known;
    return other.includes(key ?? '') ? primary : other;
  }
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}
