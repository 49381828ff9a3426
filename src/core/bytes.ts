import { isUtf8 } from 'node:buffer';
import { inFlight, keptFor, onceForLatest } from './latest.ts';

/** The same bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Longer than any page of records: of such bodies only the latest is remembered in another form. */
export function isLong(bytes: Uint8Array): boolean {
  return bytes.length > 1 << 18;
}

/** Bodies of so many bytes are short: those with the same content are one object, however often they come. */
export const shortBytes = 16_384;
/** Most short bodies of which something is remembered. */
export const mostShort = 256;

/** Computes something from the bytes of a body, and remembers it for as many bodies as their length allows. */
export function onceForBytes<V>(compute: (bytes: Uint8Array) => V): (bytes: Uint8Array) => V {
  const ofShort = keptFor(compute, mostShort);
  const ofLong = onceForLatest(compute, 2 * inFlight);
  const ofLongest = onceForLatest(compute, 1);
  return (bytes) => {
    if (bytes.length < shortBytes) return ofShort(bytes);
    return isLong(bytes) ? ofLongest(bytes) : ofLong(bytes);
  };
}

/** Decodes bytes as UTF-8 and keeps a byte order mark; null for bytes that are not UTF-8. */
export const utf8TextOf = onceForBytes((bytes) => {
  const buffer = bufferOf(bytes);
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
});
