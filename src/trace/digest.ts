import type { Json } from './json.ts';

/** Two halves of 32 bits, each of which depends on every character. */
let one = 0;
let other = 0;

/**
 * A short digest of a value, the same for any order of its members; for comparing, not for showing. Different values
 * have the same one with a probability of about 2^-60. It is made without a text of the value, which would take several times as long.
 */
export function digestOf(...values: readonly (Json | undefined)[]): string {
  begin();
  for (const value of values) takeValue(value);
  end();
  return written(one, other);
}

/** In 64 characters from `0` on: writing a number to another base takes as long as digesting a hundred characters. */
function written(high: number, low: number): string {
  const digit = (bits: number) => 48 + (bits & 63);
  return String.fromCharCode(
    digit(high),
    digit(high >>> 6),
    digit(high >>> 12),
    digit(high >>> 18),
    digit(high >>> 24),
    digit((high >>> 30) | (low << 2)),
    digit(low >>> 4),
    digit(low >>> 10),
    digit(low >>> 16),
    digit(low >>> 22),
    digit(low >>> 28),
  );
}

function takeValue(value: Json | undefined): void {
  if (typeof value === 'string') {
    takeText(1, value);
    return;
  }
  if (typeof value !== 'object' || value === null) takeText(2, String(value));
  else if (Array.isArray(value)) takeElements(value as readonly Json[]);
  else takeMembers(value as Readonly<Record<string, Json | undefined>>);
}

function takeElements(elements: readonly Json[]): void {
  take(3);
  take(elements.length);
  for (const element of elements) takeValue(element);
}

/** Each member has a digest of its own, and their sum does not depend on their order. */
function takeMembers(object: Readonly<Record<string, Json | undefined>>): void {
  const before = one;
  const otherBefore = other;
  let count = 0;
  let sum = 0;
  let otherSum = 0;
  for (const name in object) {
    begin();
    takeText(1, name);
    takeValue(object[name]);
    end();
    count += 1;
    sum = (sum + one) | 0;
    otherSum = (otherSum + other) | 0;
  }
  one = before;
  other = otherBefore;
  take(4);
  take(count);
  take(sum);
  take(otherSum);
}

/** The length separates consecutive texts. */
function takeText(kind: number, text: string): void {
  take(kind);
  take(text.length);
  const { length } = text;
  // Two characters fill the 32 bits of a step.
  let at = 1;
  for (; at < length; at += 2) take(text.charCodeAt(at - 1) | (text.charCodeAt(at) << 16));
  if (at === length) take(text.charCodeAt(at - 1));
}

function begin(): void {
  one = 0x2545f491;
  other = 0x6a09e667;
}

function take(number: number): void {
  one = Math.imul(one ^ number, 0x9e3779b1);
  other = Math.imul(other ^ number, 0x85ebca77);
  other = (other << 13) | (other >>> 19);
}

/** Makes every bit depend on all others. */
function end(): void {
  one = Math.imul(one ^ (one >>> 16), 0x21f0aaad);
  one ^= one >>> 15;
  other = Math.imul(other ^ (other >>> 15), 0x735a2d97);
  other ^= other >>> 15;
}
