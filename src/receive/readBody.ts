import type { IncomingMessage } from 'node:http';
import type { SinkLimits } from './limits.ts';

/** A body, as far as it is stored. */
interface ReadBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** Longer than the sink reads: the rest was not read. */
  readonly tooLarge: boolean;
}

/** Reads a body within the limits; null if the sender goes away before its end. */
export function readBody(
  request: IncomingMessage,
  { keptBytes, bodyBytes }: Pick<SinkLimits, 'keptBytes' | 'bodyBytes'>,
): Promise<ReadBody | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let seen = 0;
    const finish = (tooLarge: boolean) => {
      const [only] = chunks;
      const body = chunks.length === 1 && only ? only : Buffer.concat(chunks);
      resolve({ body, truncated: seen > keptBytes, tooLarge });
    };
    request.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      const room = keptBytes - kept;
      if (room > 0) {
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
        chunks.push(part);
        kept += part.length;
      }
      if (seen <= bodyBytes) return;
      request.pause();
      finish(true);
    });
    request.on('end', () => finish(false));
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}
