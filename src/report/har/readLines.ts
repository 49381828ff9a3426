import { createReadStream } from 'node:fs';
import { collectGarbage } from '../../core/collectGarbage.ts';
import { requirePlainFile } from '../../core/plainFile.ts';
import { readError } from '../../core/storageFault.ts';

/** The longest line that is joined; of a longer one, which no run writes, only the beginning is passed on. */
const longest = 1 << 28;

/** The lines of a file, one at a time. Only `\n` ends a line: JSON text may contain the other line ends that `readline` knows. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let [pieces, length]: [string[], number] = [[], 0];
  for await (const chunk of chunksOf(path)) {
    const [first = '', ...rest] = chunk.split('\n');
    if (length < longest) pieces.push(first);
    length += first.length;
    for (const piece of rest) {
      const line = pieces.join('');
      yield line;
      collectGarbage(line.length);
      [pieces, length] = [[piece], piece.length];
    }
  }
  yield pieces.join('');
}

async function* chunksOf(path: string): AsyncGenerator<string> {
  requirePlainFile('the evidence', path);
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 });
  let isStart = true;
  try {
    for await (const chunk of stream) {
      // Editors on Windows write a mark before the text.
      yield isStart ? (chunk as string).replace(/^\uFEFF/, '') : (chunk as string);
      isStart = false;
    }
  } catch (cause) {
    throw readError('the evidence', path, cause);
  }
}
