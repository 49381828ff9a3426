import { isUtf8 } from 'node:buffer';
import { inFlight, onceForLatest } from './latest.ts';

/** The same bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Longer than any page of records: of such bodies only the latest is remembered in another form. */
export function isLong(bytes: Uint8Array): boolean {
  return bytes.length > 1 << 18;
}

const textOfShort = onceForLatest(decode, 2 * inFlight);
const textOfLong = onceForLatest(decode, 1);

/** Decodes bytes as UTF-8 and keeps a byte order mark; null for bytes that are not UTF-8. */
export function utf8TextOf(bytes: Uint8Array): string | null {
  return isLong(bytes) ? textOfLong(bytes) : textOfShort(bytes);
}

function decode(bytes: Uint8Array): string | null {
  const buffer = bufferOf(bytes);
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
}
