import type { Asked, Form, Member, Sent, Table } from './form.ts';

/** A form where it stands: what is the same in every request. */
export interface Spot {
  readonly form: Form;
  /** Whether it is one of several that a value has. */
  readonly isTrait: boolean;
  /** Its name for comparing requests, in the first element of a list and in a later one. */
  readonly names: Readonly<Record<'first' | 'later', string>>;
}

/** How a value is written: in the first form that fits, or in that and in its traits. */
export interface Reading {
  readonly spots: readonly Spot[];
  readonly isFault: boolean;
}

/** Most values of a member whose reading is kept, and the longest: codes, days, words and clocks come again and again. */
const mostKept = 128;
const longestKept = 120;

/** A member of a table as one operation reads it by one carrier. */
export class Place {
  readonly name: string;
  readonly inside: Layer | null;
  readonly each: Layer | null;
  readonly #asked: Asked;
  readonly #forms: readonly Spot[];
  readonly #traits: readonly Spot[];
  readonly #whole: readonly Spot[];
  /** Whether a form goes by the clock, so that a value is not always read in the same way. */
  readonly #isDated: boolean;
  readonly #kept = new Map<unknown, Reading>();

  constructor(asked: Asked, path: string, name: string, member: Member) {
    const at = `${path}${name}`;
    const spotsOf = (forms: readonly Form[], isTrait = false) =>
      forms.map((form) => spotOf(asked, at, form, isTrait));
    [this.#asked, this.name] = [asked, name];
    this.inside = member.inside ? new Layer(asked, `${at}.`, member.inside) : null;
    this.each = member.each ? new Layer(asked, `${at}.`, member.each) : null;
    this.#forms = spotsOf(member.forms);
    this.#traits = spotsOf(member.also ?? [], true);
    this.#whole = spotsOf(member.whole ?? []);
    this.#isDated = [...this.#forms, ...this.#traits].some(({ form }) => form.isDated === true);
  }

  read(value: unknown, now: number | undefined): Reading {
    if (this.#isDated && now !== undefined) return this.#reading(value, { ...this.#asked, now });
    const isKept = typeof value === 'string' ? value.length <= longestKept : value === undefined;
    if (!isKept) return this.#reading(value, this.#asked);
    let reading = this.#kept.get(value);
    if (reading === undefined) {
      reading = this.#reading(value, this.#asked);
      if (this.#kept.size >= mostKept) this.#kept.clear();
      this.#kept.set(value, reading);
    }
    return reading;
  }

  /** The form of a list as a whole. */
  readWhole(list: readonly unknown[], now: number | undefined): Spot | undefined {
    if (this.#whole.length === 0) return undefined;
    const asked = now === undefined ? this.#asked : { ...this.#asked, now };
    return this.#whole.find(({ form }) => form.fits(list, asked));
  }

  #reading(value: unknown, asked: Asked): Reading {
    const first = this.#forms.find(({ form }) => form.fits(value, asked));
    if (first?.form.kind === 'fault') return { spots: [first], isFault: true };
    const traits = this.#traits.filter(({ form }) => form.fits(value, asked));
    if (first === undefined && traits.length === 0) return plain;
    return { spots: first ? [first, ...traits] : traits, isFault: false };
  }
}

const plain: Reading = { spots: [], isFault: false };

/** The members of an object, and what is said of all others. */
export class Layer {
  readonly places: readonly Place[];
  readonly #path: string;
  readonly #names: ReadonlySet<string>;

  constructor(asked: Asked, path: string, table: Table) {
    this.#path = path;
    this.places = Object.entries(table).map(([name, member]) => new Place(asked, path, name, member));
    this.#names = new Set(Object.keys(table));
  }

  /** Members that no table has. */
  unknownIn(object: Sent): readonly string[] {
    let names: string[] | null = null;
    for (const name in object) if (!this.#names.has(name)) (names ??= []).push(name);
    return names ?? none;
  }

  /** Such a member, for once: there may be any number of names. */
  unknown(asked: Asked, name: string, form: Form): Spot {
    return spotOf(asked, `${this.#path}${name}`, form, false);
  }
}

const none: readonly string[] = [];

/** The same name for passengers in payload, and for all elements of a list but the first. */
function spotOf({ operation, carrier }: Asked, at: string, form: Form, isTrait: boolean): Spot {
  const path = (form.about ?? at).replace(/^payload\.(?=passengers)/, '');
  const isList = /^(flights|passengers|payload)/.test(path);
  const nameIn = (element: string) =>
    `${operation} ${carrier} ${isList ? element : ''} ${path} | ${form.name} `;
  return { form, isTrait, names: { first: nameIn('first'), later: nameIn('later') } };
}
