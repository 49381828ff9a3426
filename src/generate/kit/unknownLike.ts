import { createRandom, hash32 } from '../../core/random.ts';

// Without 0, I, L, O and U, which some id alphabets leave out.
const pools = { digit: '123456789', hex: 'abcdef', lower: 'abcdefghjkmnpqrstvwxyz' };

/** A number with few digits is a counter, so another one of that length may exist; with many digits it does not. */
const countDigits = { most: 6, far: 9 };

/**
 * An id that names nothing but has the shape of a real one: only the last group of letters and digits changes (12 at
 * most), each character within its class, so that prefixes and the version of a UUID stay. Another salt, another id.
 * A short number becomes a long one.
 */
export function unknownLike(id: string, salt = 0): string {
  const tail = /[A-Za-z0-9]{1,12}(?=[^A-Za-z0-9]*$)/.exec(id);
  if (tail === null) return `${id}0`;
  const [text] = tail;
  const shape =
    /^\d+$/.test(text) && text.length < countDigits.most ? text.padEnd(countDigits.far, '1') : text;
  const random = createRandom(hash32(`${id}/${salt}`));
  const changed = Array.from(shape, (character) => replaced(character, isHex(text), random)).join('');
  return id.slice(0, tail.index) + changed + id.slice(tail.index + text.length);
}

/** A booking number far beyond a real one, still an exact integer. */
export function unknownNumberLike(id: number): number {
  return Math.min(Math.trunc(Math.abs(id)) + 900_000_000, Number.MAX_SAFE_INTEGER);
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text);
}

function replaced(character: string, hex: boolean, random: () => number): string {
  if (/[0-9]/.test(character)) return other(pools.digit, character, random);
  const lower = other(hex ? pools.hex : pools.lower, character.toLowerCase(), random);
  return character === character.toLowerCase() ? lower : lower.toUpperCase();
}

function other(pool: string, character: string, random: () => number): string {
  const candidates = Array.from(pool).filter((candidate) => candidate !== character);
  return candidates[Math.floor(random() * candidates.length)] ?? character;
}
