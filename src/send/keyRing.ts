/** An API key and what is known of it. The value leaves only in the header that it belongs to. */
export interface ApiKey {
  /** `primary#1`, `other#2`, `revoked`, … */
  readonly label: string;
  /** The enterprise that it identifies; keys of one enterprise share the name. */
  readonly enterprise: string;
  readonly value: string;
}

export type SpecialKey = 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted';

/** So many that one less for everything makes no difference. */
const many = 10;

/** The keys of a run, by enterprise and purpose. */
export class KeyRing {
  readonly primary: readonly ApiKey[];
  readonly other: readonly ApiKey[];
  /** The keys in their own order, whatever was rotated. */
  readonly home: KeyRing;
  readonly #special: ReadonlyMap<SpecialKey, ApiKey>;
  readonly #rest: readonly ApiKey[];

  private constructor(
    primary: readonly ApiKey[],
    other: readonly ApiKey[],
    special: ReadonlyMap<SpecialKey, ApiKey>,
    home: KeyRing | null,
  ) {
    this.primary = primary;
    this.other = other;
    this.#special = special;
    this.home = home ?? this;
    this.#rest = primary.filter((key) => key !== this.home.primary[0]);
  }

  static of(values: {
    primary: readonly string[];
    other: readonly string[];
    special: Readonly<Partial<Record<SpecialKey, string | null>>>;
  }): KeyRing {
    const special = Object.entries(values.special).flatMap(([name, value]): [SpecialKey, ApiKey][] =>
      value ? [[name as SpecialKey, { label: name, enterprise: name, value }]] : [],
    );
    return new KeyRing(
      label('primary', values.primary),
      label('other', values.other),
      new Map(special),
      null,
    );
  }

  /** The same keys with others in front, so that not every check that needs one key in particular takes the first. */
  rotated(by: number): KeyRing {
    return new KeyRing(rotate(this.primary, by), rotate(this.other, by), this.#special, this.home);
  }

  /**
   * The keys for requests that may carry any of an enterprise. Where there are many, the first is left to those that
   * must carry it in particular, such as repeated subscriptions, so that they need not wait for its limit.
   */
  pool(enterprise: 'primary' | 'other'): readonly ApiKey[] {
    return enterprise === 'primary' && this.primary.length >= many ? this.#rest : this[enterprise];
  }

  /** A key with a special condition, or null where none was given. */
  special(name: SpecialKey): ApiKey | null {
    return this.#special.get(name) ?? null;
  }

  all(): readonly ApiKey[] {
    return [...this.primary, ...this.other, ...this.#special.values()];
  }
}

function label(enterprise: string, values: readonly string[]): readonly ApiKey[] {
  return values.map((value, index) => ({ label: `${enterprise}#${index + 1}`, enterprise, value }));
}

function rotate<T>(list: readonly T[], by: number): readonly T[] {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}
