import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { utf8TextOf } from '../../core/bytes.ts';
import type { Headers } from '../../core/evidence.ts';
import type { RecordedBody } from '../../send/journalLine.ts';

/** A body as a recorder wrote it. */
interface Recorded {
  readonly text?: string | undefined;
  readonly encoding?: string | undefined;
  readonly headers: Headers;
}

/** Larger bodies are not decoded. */
const mostBytes = 16 * 1024 * 1024;

const decoders: Readonly<
  Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer>
> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * The body of a message as its receiver read it; null where the recorder kept none, or kept it in a form that does not tell. Some recorders
 * leave a body compressed, write base64 without saying so, or cut it: `Content-Length` shows that.
 */
export function keptBody({ text, encoding, headers }: Recorded): RecordedBody {
  if (text === undefined) return null;
  const [coding, length] = [valueOf(headers, 'content-encoding'), lengthIn(headers)];
  if (encoding === 'base64') return decoded(Buffer.from(text, 'base64'), coding);
  const bytes = Buffer.byteLength(text);
  if (coding !== null && coding !== 'identity') return isGarbled(text) ? null : { text };
  if (length === null || length <= bytes) {
    const hidden = length === bytes ? null : jsonInBase64(text);
    return hidden === null ? { text } : { text: hidden };
  }
  return null;
}

/** Recorders of browsers decode a body and keep the header, so that most are no longer compressed. */
function decoded(bytes: Buffer, coding: string | null): RecordedBody {
  const kept = { base64: bytes.toString('base64') };
  const decode = coding === null ? undefined : decoders[coding];
  if (decode === undefined || utf8TextOf(bytes) !== null) return kept;
  try {
    return { base64: decode(bytes, { maxOutputLength: mostBytes }).toString('base64') };
  } catch {
    return null;
  }
}

/** Bytes of a compressed body that were read as text. */
function isGarbled(text: string): boolean {
  return /[^\P{Cc}\t\n\r]|\uFFFD/u.test(text.slice(0, 1000));
}

/** The JSON that a text is the base64 of. */
function jsonInBase64(text: string): string | null {
  if (text.length % 4 !== 0 || text.length > mostBytes || !/^(?:ey|W[3y1])[\w+/]*={0,2}$/.test(text))
    return null;
  const json = Buffer.from(text, 'base64').toString();
  try {
    JSON.parse(json);
    return json;
  } catch {
    return null;
  }
}

function lengthIn(headers: Headers): number | null {
  const value = valueOf(headers, 'content-length');
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

function valueOf(headers: Headers, wanted: string): string | null {
  return (
    headers
      .find(([name]) => name.toLowerCase() === wanted)?.[1]
      .trim()
      .toLowerCase() ?? null
  );
}
