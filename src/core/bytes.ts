import { isUtf8 } from 'node:buffer';
import { inFlight, onceForLatest } from './latest.ts';

/** The same bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Decodes bytes as UTF-8 and keeps a byte order mark; null for bytes that are not UTF-8. */
export const utf8TextOf = onceForLatest((bytes: Uint8Array): string | null => {
  const buffer = bufferOf(bytes);
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
}, 2 * inFlight);
