import { createReadStream } from 'node:fs';

/**
 * The lines of a file, one at a time, however many there are. Only `\n` ends a line: JSON text may hold the other
 * line ends that `readline` knows.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const [first = '', ...rest] = (chunk as string).split('\n');
    pieces.push(first);
    for (const piece of rest) {
      yield pieces.join('');
      pieces = [piece];
    }
  }
  yield pieces.join('');
}
