import busboy from 'busboy';
import { Refusal } from './refusal.ts';

export interface TextPart {
  readonly name: string;
  readonly text: string;
  readonly mediaType: string;
}

/** An uploaded document scan; only what can matter to the answer is kept. */
export interface FilePart {
  readonly name: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly size: number;
  /** How many text parts stand before it. */
  readonly after: number;
}

/** A multipart body as it was sent. */
export interface SentParts {
  readonly contentType: string;
  readonly bytes: Buffer;
}

interface Multipart {
  readonly texts: readonly TextPart[];
  readonly files: readonly FilePart[];
}

/** Reads a multipart/form-data body; one that cannot be parsed is a 500 (Errors: upload parser failure). */
export async function readMultipart({ contentType, bytes }: SentParts): Promise<Multipart> {
  try {
    return await parse(contentType, bytes);
  } catch {
    throw new Refusal(500, 'INTERNAL_ERROR', 'The multipart body could not be parsed.');
  }
}

function parse(contentType: string, bytes: Buffer): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const texts: TextPart[] = [];
    const files: FilePart[] = [];
    const parser = busboy({
      headers: { 'content-type': contentType },
      // Names are UTF-8, as browsers write them; busboy takes them for Latin-1.
      defParamCharset: 'utf8',
      limits: { fieldSize: 4 * 1024 * 1024 },
    });
    parser.on('field', (name, text, info) => texts.push({ name, text, mediaType: info.mimeType }));
    parser.on('file', (name, stream, info) => {
      let size = 0;
      const after = texts.length;
      stream.on('data', (chunk: Buffer) => (size += chunk.length));
      stream.on('end', () =>
        files.push({ name, fileName: info.filename ?? '', mediaType: info.mimeType, size, after }),
      );
    });
    parser.on('error', reject);
    parser.on('close', () => resolve({ texts, files }));
    parser.end(bytes);
  });
}
