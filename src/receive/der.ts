/** A value in DER, the encoding of certificates: its tag, its length, its content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bytesOf(length);
  return [0x80 | bytes.length, ...bytes];
}

function bytesOf(number: number): readonly number[] {
  return number < 0x100 ? [number] : [...bytesOf(Math.floor(number / 0x100)), number % 0x100];
}

/** Members in their order. */
export const sequence = (...members: readonly Uint8Array[]) => der(0x30, ...members);

/** A member with a number instead of its type, as in the certificate schema. */
export const tagged = (number: number, ...members: readonly Uint8Array[]) => der(0xa0 | number, ...members);

/** A whole number that is not negative, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return der(0x02, first >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

export const yes = der(0x01, Buffer.of(0xff));
export const text = (value: string) => der(0x0c, Buffer.from(value));
export const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts);

/** Bits; the last `unused` bits of the last byte do not count. */
export const bits = (bytes: Uint8Array, unused = 0) => der(0x03, Buffer.of(unused), bytes);

/** An object identifier, such as `2.5.4.3` for a common name. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([40 * first + second, ...rest.flatMap(sevenBits)]));
}

function sevenBits(number: number): readonly number[] {
  const high: number[] = [];
  for (let left = number >> 7; left > 0; left >>= 7) high.unshift(0x80 | (left & 0x7f));
  return [...high, number & 0x7f];
}

/** An instant; years from 2050 on are written with four digits. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

/** Bytes as PEM text, as in `-----BEGIN CERTIFICATE-----`. */
export function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
