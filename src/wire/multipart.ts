import type { Headers } from '../core/evidence.ts';

/** One part of a multipart body, its header fields as they stood. */
export interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly head: string;
  readonly content: Uint8Array;
}

/** The parts of a multipart body; null where it is none, or is broken. */
export function readParts(body: Uint8Array, contentType: string): readonly Part[] | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  // One byte a character, so that files stay whole.
  const text = `\r\n${Buffer.from(body).toString('latin1')}`;
  const pieces = text.split(`\r\n--${boundary}`);
  if (pieces.length < 2 || !pieces.at(-1)?.startsWith('--')) return null;
  const parts = pieces.slice(1, -1).map(readPart);
  return parts.every((part) => part !== null) ? parts : null;
}

/** The body of these parts, with the boundary that the content type names. */
export function writeParts(parts: readonly Part[], contentType: string): Uint8Array {
  const boundary = boundaryOf(contentType) ?? '';
  const chunks = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`, 'latin1'),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The value of a header field, by its name in lower case. */
export function fieldOf(headers: Headers, name: string): string | null {
  return headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? null;
}

function boundaryOf(contentType: string): string | null {
  const found = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}

function readPart(piece: string): Part | null {
  const end = piece.indexOf('\r\n\r\n');
  if (!piece.startsWith('\r\n') || end < 0) return null;
  const head = piece.slice(2, Math.max(2, end));
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) return null;
  const content = Buffer.from(piece.slice(end + 4), 'latin1');
  return { name, isFile: /filename=/i.test(head), head, content };
}
