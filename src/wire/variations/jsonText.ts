import { isItems, isMembers, type Json } from '../json.ts';

/** How one text spells JSON. */
export interface Spelling {
  /** Blanks that may stand between two tokens. */
  readonly blank: () => string;
  readonly text: (text: string) => string;
  readonly number: (number: number) => string;
  /** The members of an object in the order in which they are written. */
  readonly order: (names: readonly string[]) => readonly string[];
}

/** As JSON.stringify spells it. */
export const plainSpelling: Spelling = {
  blank: () => '',
  text: (text) => JSON.stringify(text),
  number: (number) => JSON.stringify(number),
  order: (names) => names,
};

/** The value as text, spelled otherwise: what is read of it is the same. */
export function spell(value: Json, spelling: Spelling): string {
  const { blank, text, number, order } = spelling;
  const list = (open: string, items: readonly string[], close: string) =>
    `${open}${blank()}${items.join(`${blank()},${blank()}`)}${blank()}${close}`;
  if (isItems(value))
    return list(
      '[',
      value.map((item) => spell(item, spelling)),
      ']',
    );
  if (isMembers(value)) {
    const members = order(Object.keys(value)).map(
      (name) => `${text(name)}${blank()}:${blank()}${spell(value[name] ?? null, spelling)}`,
    );
    return list('{', members, '}');
  }
  if (typeof value === 'string') return text(value);
  return typeof value === 'number' ? number(value) : JSON.stringify(value);
}

/** A JSON text with some characters escaped that need not be. */
export function escaped(text: string, random: () => number): string {
  return `"${Array.from(text)
    .map((character) => escapedCharacter(character, random))
    .join('')}"`;
}

function escapedCharacter(character: string, random: () => number): string {
  const plain = JSON.stringify(character).slice(1, -1);
  if (random() < 0.6) return plain;
  if (character === '/') return '\\/';
  return unitsOf(character)
    .map((unit) => `\\u${unit}`)
    .join('');
}

function unitsOf(character: string): readonly string[] {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    // The hexadecimal digits may be of either case.
    return index % 2 === 0 ? unit.toUpperCase() : unit;
  });
}

/** An integer as a number that only looks like a fraction or a power. */
export function otherNumber(number: number, random: () => number): string {
  const plain = JSON.stringify(number);
  if (!Number.isSafeInteger(number) || !/^-?\d+$/.test(plain)) return plain;
  const forms = [plain, `${plain}.0`, `${plain}.00`, `${plain}e0`, `${plain}E+0`, `${plain}.0e0`];
  return forms[Math.floor(random() * forms.length)] ?? plain;
}

/** The items in another order, every order equally likely. */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)).flat();
}
