/**
 * Blanks, at least so many MiB, as members of 16 MiB one behind the other: what a decoder takes of memory is to be measured, and
 * not what it takes to make the bomb.
 */
export function bomb(compress: (text: Buffer) => Buffer, mebibytes: number): Buffer {
  return Buffer.concat(Array<Buffer>(Math.ceil(mebibytes / 16)).fill(compress(Buffer.alloc(16 << 20, ' '))));
}
