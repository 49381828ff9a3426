import { createRandom, hash32 } from '../../core/random.ts';

/** One part of a multipart/form-data body; with a file name it is a file. */
export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Null leaves the header out, which means text/plain. */
  readonly contentType: string | null;
  readonly fileName?: string;
}

/** The bytes of a body, and the content type that names its boundary. */
export interface MultipartBody {
  readonly contentType: string;
  readonly boundary: string;
  readonly bytes: Uint8Array;
}

/** A part of plain text, as the documents write the named parts. */
export function textPart(name: string, text: string, contentType: string | null = 'text/plain'): Part {
  return { name, content: text, contentType };
}

/** A part that carries JSON as text. */
export function jsonPart(name: string, value: unknown, contentType: string | null = 'text/plain'): Part {
  return textPart(name, JSON.stringify(value), contentType);
}

/** A small scan under a part name, with a file name that asks for care. */
export function filePart(name: string, fileName: string, kind: keyof typeof scans = 'png'): Part {
  return { name, content: scans[kind].bytes, contentType: scans[kind].type, fileName };
}

/** Encodes the parts in order. The boundary is derived from `salt`, and no part contains it. */
export function encodeMultipart(parts: readonly Part[], salt: string): MultipartBody {
  const contents = parts.map(({ content }) => Buffer.from(content));
  const boundary = boundaryFor(contents, salt);
  const chunks = parts.flatMap((part, index) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n`),
    contents[index] ?? Buffer.alloc(0),
    Buffer.from('\r\n'),
  ]);
  return {
    boundary,
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** Real-life file names; each has broken some upload parser. */
export const fileNames = [
  'scan.png',
  'Reisepass Müller.png',
  'passport "final".png',
  'a;b=c.png',
  'скан паспорта.png',
  '護照.png',
  '..png',
  `${'long'.repeat(40)}.png`,
] as const;

const scans = {
  // The smallest valid image: one transparent pixel.
  png: {
    type: 'image/png',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  pdf: {
    type: 'application/pdf',
    bytes: Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    ),
  },
} as const;

function headersOf({ name, fileName, contentType }: Part): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
  const type = contentType === null ? '' : `Content-Type: ${contentType}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}`;
}

/** As browsers write names: quotes and line breaks percent-encoded, everything else in UTF-8. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function boundaryFor(contents: readonly Buffer[], salt: string): string {
  const random = createRandom(hash32(`boundary/${salt}`));
  for (;;) {
    const digits = Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('');
    const boundary = `----gatecheck-${digits}`;
    if (!contents.some((content) => content.includes(boundary))) return boundary;
  }
}
