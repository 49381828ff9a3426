/** An API key and what is known of it. The value leaves only in the header that it belongs to. */
export interface ApiKey {
  /** `primary#1`, `other#2`, `revoked`, … */
  readonly label: string;
  /** The enterprise that it identifies; keys of one enterprise share the name. */
  readonly enterprise: string;
  readonly value: string;
}

export type SpecialKey = 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted';

/** The keys of a run, by enterprise and purpose. */
export class KeyRing {
  readonly primary: readonly ApiKey[];
  readonly other: readonly ApiKey[];
  readonly #special: ReadonlyMap<SpecialKey, ApiKey>;

  constructor(values: {
    primary: readonly string[];
    other: readonly string[];
    special: Readonly<Partial<Record<SpecialKey, string | null>>>;
  }) {
    this.primary = label('primary', values.primary);
    this.other = label('other', values.other);
    this.#special = new Map(
      Object.entries(values.special).flatMap(([name, value]) =>
        value ? [[name as SpecialKey, { label: name, enterprise: name, value }]] : [],
      ),
    );
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
