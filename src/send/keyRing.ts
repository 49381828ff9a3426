/** An API key and what is known about it. Its value only leaves in the header that it belongs to. */
export interface ApiKey {
  /** `primary#1`, `other#2`, `revoked`, `issued#3`, … */
  readonly label: string;
  /** The enterprise that it identifies; keys of the same enterprise have the same name here. */
  readonly enterprise: string;
  readonly value: string;
}

export const specialKeys = ['revoked', 'disabled', 'noEntitlement', 'suspended', 'exhausted'] as const;

export type SpecialKey = (typeof specialKeys)[number];

/** Whose keys a request may carry: those of the enterprise that the run works in, or of another one. */
export type KeyRole = 'primary' | 'other';

/** With this many keys, reserving one makes no difference. */
const many = 10;

interface Keys {
  readonly given: Readonly<Record<KeyRole, readonly ApiKey[]>>;
  readonly special: ReadonlyMap<SpecialKey, ApiKey>;
  /** Keys that were made for this run, of the enterprise of the given ones or of a new one. */
  readonly issued: Record<KeyRole, readonly ApiKey[]>;
  /** Issued keys that others have replaced: requests carry them no longer. */
  former: readonly ApiKey[];
  /** Whether the issued keys belong to a separate enterprise, so that the given ones do not see its records. */
  readonly isApart: Record<KeyRole, boolean>;
  /** A key that is reserved for requests that must carry it. */
  aside: ApiKey | null;
  /** The last result of `pool`, until the keys change. */
  pools: Partial<Record<KeyRole, readonly ApiKey[]>>;
}

/** Requests that may still be sent with a key right now. */
type RoomOf = (key: ApiKey) => number;

/** The keys of a run, by enterprise and purpose. The view of a check lists the keys with the most room first. */
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

  /** Keys of one enterprise only, with their labels. */
  static ofKeys(primary: readonly ApiKey[]): KeyRing {
    return KeyRing.#from({ primary, other: [] }, new Map());
  }

  static #from(given: Keys['given'], special: Keys['special']): KeyRing {
    const issued = { primary: [], other: [] };
    const isApart = { primary: false, other: false };
    return new KeyRing(
      { given, issued, former: [], isApart, special, aside: null, pools: {} },
      given,
      () => 0,
    );
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

  /** Further keys that the state handler made for this run. */
  add(role: KeyRole, keys: readonly ApiKey[]): void {
    this.#keys.issued[role] = [...this.#keys.issued[role], ...keys];
    this.#keys.pools = {};
  }

  /** Instead of all keys of an enterprise, requests carry these of another one from now on. */
  replace(role: KeyRole, keys: readonly ApiKey[]): void {
    this.#keys.former = [...this.#keys.former, ...this.#keys.issued[role]];
    this.#keys.issued[role] = keys;
    this.#keys.isApart[role] = true;
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

  /** One key for a whole check that needs just one, whichever it is. */
  get lead(): ApiKey | null {
    return (this.#lead ??= this.leastUsed());
  }

  /** The key with the most room right now. */
  leastUsed(): ApiKey | null {
    return byRoom(this.pool('primary'), this.#roomOf)[0] ?? null;
  }

  /** Reserves a key for requests that must carry this one, such as repeated subscriptions, if there are many others. */
  setAside(key: ApiKey): void {
    this.#keys.aside = key;
    this.#keys.pools = {};
  }

  /** The keys for requests that may carry any: issued ones if there are any, so that the given ones keep their room. */
  pool(role: KeyRole): readonly ApiKey[] {
    return (this.#keys.pools[role] ??= this.#poolOf(role));
  }

  /** A key with a special condition, or null if none was given. */
  special(name: SpecialKey): ApiKey | null {
    return this.#keys.special.get(name) ?? null;
  }

  /** The key that an exchange names, or null if it is not a key of this run. */
  named(label: string | null): ApiKey | null {
    return this.all().find((key) => key.label === label) ?? null;
  }

  all(): readonly ApiKey[] {
    const { given, issued, former, special } = this.#keys;
    const working = [...given.primary, ...given.other, ...issued.primary, ...issued.other];
    return [...working, ...former, ...special.values()];
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
