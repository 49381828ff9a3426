import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

const decoders: Readonly<
  Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/**
 * Undoes one content coding. Gatecheck asks for none, yet a server may send one. A coding that is unknown or broken
 * leaves the bytes as they are, so that the judge sees what cannot be read.
 */
export async function decodeBody(
  body: Uint8Array,
  encoding: string,
  limit: number,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const decode = decoders[encoding.trim().toLowerCase()];
  if (!decode) return { body, truncated: false };
  try {
    return { body: await decode(body, { maxOutputLength: limit }), truncated: false };
  } catch (error) {
    const tooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { body, truncated: tooLong };
  }
}
