import { bufferOf } from '../../core/bytes.ts';
import type { Call } from '../../trace/call.ts';
import { digestOf } from '../../trace/digest.ts';

/** Larger bodies hold files, which a comparison is not worth reading for. */
const mostBytes = 256 * 1024;

/**
 * The same for multipart requests whose parts have the same header fields, and files the same content, whatever the others say;
 * null for any other request, and for large ones.
 */
export function formOf({ parts, exchange }: Call): string | null {
  if (parts.length === 0 || (exchange.request.body?.length ?? 0) > mostBytes) return null;
  const heads = parts.map(({ head, isFile, isQuoted, content }) =>
    isFile ? [head, bufferOf(content).toString('latin1')] : [isQuoted ? `${head} quoted` : head],
  );
  return digestOf(heads);
}
