import { createReadStream } from 'node:fs';
import { letGo } from '../../core/letGo.ts';
import { readError } from '../../core/storageFault.ts';

/** The lines of a file, one at a time. Only `\n` ends a line: JSON text may contain the other line ends that `readline` knows. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const chunk of chunksOf(path)) {
    const [first = '', ...rest] = chunk.split('\n');
    pieces.push(first);
    for (const piece of rest) {
      const line = pieces.join('');
      yield line;
      letGo(line.length);
      pieces = [piece];
    }
  }
  yield pieces.join('');
}

async function* chunksOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 });
  try {
    for await (const chunk of stream) yield chunk as string;
  } catch (cause) {
    throw readError('the evidence', path, cause);
  }
}
