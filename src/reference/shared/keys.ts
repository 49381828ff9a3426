export type KeyState = 'active' | 'revoked' | 'disabled';

/** An issued API key, the enterprise that it identifies, and since when (deployment time, ms) its state holds. */
export interface KeyRecord {
  readonly value: string;
  readonly enterprise: Enterprise;
  /** Which key of its enterprise this is: 0 for the first one. */
  readonly place: number;
  state: KeyState;
  changedAt: number;
}

export interface Entitlement {
  status: 'active' | 'suspended' | 'none';
  included_units: number;
  consumed_units: number;
}

export interface Enterprise {
  readonly id: string;
  readonly name: string;
  readonly entitlement: Entitlement;
}

/** What a deployment knows about an enterprise when it starts. */
export interface EnterpriseSeed {
  readonly name: string;
  readonly keys: readonly string[];
  readonly revokedKeys?: readonly string[];
  readonly disabledKeys?: readonly string[];
  readonly entitlement: Readonly<Entitlement>;
}

/** All enterprises of a deployment and their keys. */
export class KeyRegistry {
  readonly #keys = new Map<string, KeyRecord>();
  readonly #issued = new Map<Enterprise, number>();
  #enterprises = 0;

  constructor(seeds: readonly EnterpriseSeed[]) {
    for (const seed of seeds) this.#plant(seed);
  }

  find(value: string): KeyRecord | undefined {
    return this.#keys.get(value);
  }

  all(): Iterable<KeyRecord> {
    return this.#keys.values();
  }

  /** A new enterprise with an identity of its own. */
  found(name: string, entitlement: Readonly<Entitlement>): Enterprise {
    this.#enterprises += 1;
    return { id: `ent_${this.#enterprises}`, name, entitlement: { ...entitlement } };
  }

  /** Whom a request without a key acts for, where a deployment lets it in. */
  anonymous(): { key: KeyRecord; enterprise: Enterprise } {
    const key = this.#keys.values().next().value;
    if (!key) throw new Error('A deployment without any key lets nobody in.');
    return { key, enterprise: key.enterprise };
  }

  issue(enterprise: Enterprise, value: string, state: KeyState = 'active'): void {
    const place = this.#issued.get(enterprise) ?? 0;
    this.#issued.set(enterprise, place + 1);
    this.#keys.set(value, { value, enterprise, place, state, changedAt: -Infinity });
  }

  #plant(seed: EnterpriseSeed): void {
    const enterprise = this.found(seed.name, seed.entitlement);
    for (const key of seed.keys) this.issue(enterprise, key);
    for (const key of seed.revokedKeys ?? []) this.issue(enterprise, key, 'revoked');
    for (const key of seed.disabledKeys ?? []) this.issue(enterprise, key, 'disabled');
  }
}
