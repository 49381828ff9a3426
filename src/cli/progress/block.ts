import type { Output } from '../../core/io.ts';

/** Lines at the bottom of a terminal that are redrawn; printed text goes above them. */
interface Block {
  readonly draw: (lines: readonly string[]) => void;
  readonly print: (line: string) => void;
}

/** A thin writer: it knows how many lines are below, but not what they say. */
export function createBlock(output: Pick<Output, 'write'>): Block {
  let drawn: readonly string[] = [];
  const erase = () => (drawn.length === 0 ? '' : `\u001b[${drawn.length}F\u001b[0J`);
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return {
    draw: (lines) => {
      if (lines.join('\n') === drawn.join('\n')) return;
      output.write(`${erase()}${text(lines)}`);
      drawn = lines;
    },
    print: (line) => output.write(`${erase()}${line}\n${text(drawn)}`),
  };
}
