import '../ownTempFolder.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchKey } from '../payloads.ts';
import { startServer } from '../processes.ts';
import { gatecheckLoad, type LoadFigures } from './gatecheckLoad.ts';

// `npm run bench:soak [-- MINUTES RATE] [--write]`: a load of half an hour at 2000/s, and the memory of its process second by second. Bound: the
// median of the last third (ten minutes of thirty) over that of the first at most 1.05. Exit code 1 when it is broken. `--write` puts what it
// printed into docs/benchmarks.md.

const [minutes = 30, rate = 2000] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'))
  .map(Number);
const bound = 1.05;
const docs = join(import.meta.dirname, '../../docs/benchmarks.md');

const server = await startServer();
const sizes: number[] = [];
let reading: NodeJS.Timeout | undefined;
try {
  const requests = Math.ceil(rate * minutes * 60 * 1.1);
  const load = await gatecheckLoad({
    ...{ url: server.url, key: benchKey, ratePerSecond: rate },
    args: ['--duration', `${minutes}m`, '--processes', '1', '--max-requests', String(requests)],
    // V8 enlarges its nursery at some time or other and lets garbage lie, which says nothing about what is kept. What is kept has to fit.
    flags: ['--min-semi-space-size=16', '--max-semi-space-size=16', '--max-old-space-size=96'],
    onStart: (pid) => {
      reading = setInterval(() => sizes.push(residentMb(pid)), 1000);
    },
  });
  const seen = sizes.filter((size) => size > 0);
  const third = Math.floor(seen.length / 3);
  const [first, last] = [median(seen.slice(0, third)), median(seen.slice(-third))];
  const part = `${Number((minutes / 3).toFixed(1))} minutes`;
  const text =
    `${load.counts.sent} requests in ${minutes} min, ${load.sentPerSecond.toFixed(0)}/s, ${load.counts.errors} errors${kindsOf(load)}, 99 % sent at most ${load.lateness.p99Ms.toFixed(1)} ms late\n` +
    `memory: first ${part} ${first.toFixed(0)} MB, last ${part} ${last.toFixed(0)} MB, ratio ${(last / first).toFixed(3)} (bound ${bound}), peak ${Math.max(...sizes).toFixed(0)} MB\n`;
  process.stdout.write(text);
  if (process.argv.includes('--write')) writeDown(text);
  if (!(last / first <= bound)) process.exitCode = 1;
} finally {
  clearInterval(reading);
  server.stop();
}

/** The errors by what came instead of an answer, with an example of each: ` (3 × reset: socket hang up)`. */
function kindsOf({ operations }: LoadFigures): string {
  const kinds = operations
    .flatMap(({ statuses }) => statuses)
    .filter(({ kind }) => kind === 'error')
    .map(({ status, count, example }) => `${count} × ${status}: ${example ?? 'nothing known'}`);
  return kinds.length === 0 ? '' : ` (${kinds.join('; ')})`;
}

/** Resident memory by the kernel; 0 once the process is gone. */
function residentMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Puts the figures into the page of benchmarks, in place of earlier ones. */
function writeDown(text: string): void {
  const place = /(<!-- soak -->\n)[^]*?(\n<!-- \/soak -->)/;
  const lines = `\nOn ${new Date().toISOString().slice(0, 10)}:\n\n\`\`\`\n${text}\`\`\`\n`;
  writeFileSync(docs, readFileSync(docs, 'utf8').replace(place, `$1${lines}$2`));
}
