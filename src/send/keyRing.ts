/** An API key and what is known of it. The value leaves only in the header that it belongs to. */
export interface ApiKey {
  /** `primary#1`, `other#2`, `revoked`, `issued#3`, … */
  readonly label: string;
  /** The enterprise that it identifies; keys of one enterprise share the name. */
  readonly enterprise: string;
  readonly value: string;
}

export type SpecialKey = 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted';

/** Whose keys a request may carry: of the enterprise that most of a run is about, or of another one. */
export type KeyRole = 'primary' | 'other';

/** So many that one less for everything makes no difference. */
const many = 10;

interface Keys {
  readonly given: Readonly<Record<KeyRole, readonly ApiKey[]>>;
  readonly special: ReadonlyMap<SpecialKey, ApiKey>;
  /** Keys that were made for this run, of the enterprise of the given ones or in place of it. */
  readonly issued: Record<KeyRole, readonly ApiKey[]>;
  /** Whether the issued keys are of an enterprise of their own, so that the given ones see nothing of its records. */
  readonly isApart: Record<KeyRole, boolean>;
  /** A key that is left to what must carry it. */
  aside: ApiKey | null;
  /** What `pool` returned last, until the keys change. */
  pools: Partial<Record<KeyRole, readonly ApiKey[]>>;
}

/** Requests that may still be sent with a key at once. */
type RoomOf = (key: ApiKey) => number;

/** The keys of a run, by enterprise and purpose. A view of one check names the keys with the most room first. */
export class KeyRing {
  readonly #keys: Keys;
  /** The given keys, in the order of this view. */
  readonly #given: Readonly<Record<KeyRole, readonly ApiKey[]>>;
  readonly #roomOf: RoomOf;
  #lead: ApiKey | null = null;

  private constructor(keys: Keys, given: Keys['given'], roomOf: RoomOf) {
    this.#keys = keys;
    this.#given = given;
    this.#roomOf = roomOf;
  }

  static of(values: {
    primary: readonly string[];
    other: readonly string[];
    special: Readonly<Partial<Record<SpecialKey, string | null>>>;
  }): KeyRing {
    const special = Object.entries(values.special).flatMap(([name, value]): [SpecialKey, ApiKey][] =>
      value ? [[name as SpecialKey, { label: name, enterprise: name, value }]] : [],
    );
    const given = { primary: label('primary', values.primary), other: label('other', values.other) };
    return KeyRing.#from(given, new Map(special));
  }

  /** Keys of one enterprise alone, with the labels that they have. */
  static ofKeys(primary: readonly ApiKey[]): KeyRing {
    return KeyRing.#from({ primary, other: [] }, new Map());
  }

  static #from(given: Keys['given'], special: Keys['special']): KeyRing {
    const issued = { primary: [], other: [] };
    const isApart = { primary: false, other: false };
    return new KeyRing({ given, issued, isApart, special, aside: null, pools: {} }, given, () => 0);
  }

  /** The same keys for one check: those with room first. */
  forCheck(roomOf: RoomOf): KeyRing {
    const { primary, other } = this.#keys.given;
    return new KeyRing(
      this.#keys,
      { primary: byRoom(primary, roomOf), other: byRoom(other, roomOf) },
      roomOf,
    );
  }

  /** Keys that the state handler made for this run; `apart` where they are of a new enterprise. */
  add(role: KeyRole, keys: readonly ApiKey[], apart = false): void {
    this.#keys.issued[role] = [...this.#keys.issued[role], ...keys];
    this.#keys.isApart[role] = apart;
    this.#keys.pools = {};
  }

  /** Takes issued keys back, which turned out not to be of use. */
  remove(role: KeyRole): void {
    this.#keys.issued[role] = [];
    this.#keys.isApart[role] = false;
    this.#keys.pools = {};
  }

  /** The keys that the user gave, for the rules about keys themselves. */
  get given(): readonly ApiKey[] {
    return this.#given.primary;
  }

  /** All keys of the enterprise that the run works in, the given ones first. */
  get primary(): readonly ApiKey[] {
    return this.#working('primary');
  }

  /** All keys of another enterprise. */
  get other(): readonly ApiKey[] {
    return this.#working('other');
  }

  /** A key for all of a check that needs just one, whichever that is. */
  get lead(): ApiKey | null {
    return (this.#lead ??= this.leastUsed());
  }

  /** The key that has the most room now. */
  leastUsed(): ApiKey | null {
    return byRoom(this.pool('primary'), this.#roomOf)[0] ?? null;
  }

  /** Leaves a key to what must carry it in particular, such as repeated subscriptions, where there are many others. */
  setAside(key: ApiKey): void {
    this.#keys.aside = key;
    this.#keys.pools = {};
  }

  /** The keys for requests that may carry any: issued ones where there are any, so that the given ones keep their room. */
  pool(role: KeyRole): readonly ApiKey[] {
    return (this.#keys.pools[role] ??= this.#poolOf(role));
  }

  /** A key with a special condition, or null where none was given. */
  special(name: SpecialKey): ApiKey | null {
    return this.#keys.special.get(name) ?? null;
  }

  /** The key that an exchange names, or null for one that is none of the run's. */
  named(label: string | null): ApiKey | null {
    return this.all().find((key) => key.label === label) ?? null;
  }

  all(): readonly ApiKey[] {
    const { given, issued, special } = this.#keys;
    return [...given.primary, ...given.other, ...issued.primary, ...issued.other, ...special.values()];
  }

  #poolOf(role: KeyRole): readonly ApiKey[] {
    const { given, issued, aside } = this.#keys;
    const keys = issued[role].length > 0 ? issued[role] : given[role];
    return keys.length >= many ? keys.filter((key) => key !== aside) : keys;
  }

  #working(role: KeyRole): readonly ApiKey[] {
    const { issued, isApart } = this.#keys;
    return [...(isApart[role] ? [] : this.#given[role]), ...issued[role]];
  }
}

function label(role: KeyRole, values: readonly string[]): readonly ApiKey[] {
  return values.map((value, index) => ({ label: `${role}#${index + 1}`, enterprise: role, value }));
}

function byRoom(keys: readonly ApiKey[], roomOf: RoomOf): readonly ApiKey[] {
  const rooms = new Map(keys.map((key) => [key, roomOf(key)]));
  return keys.toSorted((a, b) => (rooms.get(b) ?? 0) - (rooms.get(a) ?? 0));
}
