import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { unzipSync, type UnzipFileInfo } from 'fflate';

/** A text of more bytes than this fits into no string of Node; half of it leaves room for what is read from it. */
const largest = 256 * 1024 * 1024;

/** Says what is wrong with a recording; throws. */
export type Refuse = (got: string, hint?: string) => never;

/** The text of a file, a pipe, or `-` for standard input; unpacked where it is gzip or a zip of one recording. */
export async function recordingText(path: string, refuse: Refuse): Promise<string> {
  const bytes = await read(path, refuse);
  if (bytes.length === 0) refuse('an empty file');
  return decode(unpack(bytes, refuse));
}

async function read(path: string, refuse: Refuse): Promise<Buffer> {
  const found = path === '-' ? null : await stat(path).catch(() => undefined);
  if (found === undefined) refuse('no such file');
  if (found?.isDirectory() === true) refuse('a folder', ofFolder);
  if (found && found.size > largest) refuse(tooMuch(found.size), tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > largest) break;
    }
  } catch (cause) {
    refuse(cause instanceof Error ? cause.message : String(cause));
  }
  return size > largest ? refuse(tooMuch(size), tooLarge) : Buffer.concat(chunks, size);
}

const ofFolder = 'Of the reports of a run, name evidence.ndjson in it.';
const tooLarge = 'Record a shorter time, or export only the requests to these APIs.';

function tooMuch(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB or more, over ${largest / 2 ** 20} MB`;
}

function unpack(bytes: Buffer, refuse: Refuse): Uint8Array {
  const [first, ...more] =
    unpacked(bytes) ?? refuse('an archive that cannot be unpacked, or too large a one');
  if (first === undefined) return refuse('a zip without a .har, .ndjson or .json file');
  return more.length === 0
    ? first
    : refuse(`a zip of ${more.length + 1} recordings`, 'Unpack it, and name each of its files.');
}

const startOfZip = Buffer.from('PK\u0003\u0004');

/** The recordings in an archive, or the bytes themselves; null for a damaged one. */
function unpacked(bytes: Buffer): readonly Uint8Array[] | null {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [gunzipSync(bytes, { maxOutputLength: largest })];
    if (!bytes.subarray(0, 4).equals(startOfZip)) return [bytes];
    const isRead = ({ name, originalSize }: UnzipFileInfo) => isRecording(name) && originalSize <= largest;
    return Object.values(unzipSync(bytes, { filter: isRead }));
  } catch {
    return null;
  }
}

function isRecording(name: string): boolean {
  return /\.(?:har|ndjson|json)$/i.test(name) && !name.startsWith('__MACOSX/');
}

/** Tools of Windows write UTF-16, which a byte order mark tells. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}
