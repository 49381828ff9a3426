import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * Decodes one content coding, to at most `limit` bytes. Gatecheck asks for none, but a server may use one anyway. If a coding is
 * unknown or broken, the bytes stay as they are, so that the judge sees what cannot be read.
 */
export async function decodeBody(
  body: Uint8Array,
  encoding: string,
  limit: number,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const createDecoder = decoders[encoding.trim().toLowerCase()];
  if (!createDecoder || body.length === 0) return { body, truncated: false };
  const chunks: Buffer[] = [];
  let room = limit;
  try {
    for await (const chunk of decoding(createDecoder(), body)) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room < 0) return { body: Buffer.concat(chunks), truncated: true };
    }
    return { body: Buffer.concat(chunks), truncated: false };
  } catch {
    return { body, truncated: false };
  }
}

function decoding(decoder: Transform, body: Uint8Array): AsyncIterable<Buffer> {
  decoder.end(body);
  return decoder as AsyncIterable<Buffer>;
}
