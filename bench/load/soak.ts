import '../ownTempFolder.ts';
import { readFileSync } from 'node:fs';
import { benchKey } from '../payloads.ts';
import { startServer } from '../processes.ts';
import { gatecheckLoad } from './gatecheckLoad.ts';

// `npm run bench:soak [-- MINUTES RATE]`: a load of half an hour at 2000/s, and the memory of its process second by second. Bound: the
// median of the last third over that of the first at most 1.05, the warm-up of a tenth left out. Exit code 1 when it is broken.

const minutes = Number(process.argv[2] ?? 30);
const rate = Number(process.argv[3] ?? 2000);
const bound = 1.05;

const server = await startServer();
const sizes: number[] = [];
let reading: NodeJS.Timeout | undefined;
try {
  const requests = Math.ceil(rate * minutes * 60 * 1.1);
  const load = await gatecheckLoad({
    ...{ url: server.url, key: benchKey, ratePerSecond: rate },
    args: ['--duration', `${minutes}m`, '--processes', '1', '--max-requests', String(requests)],
    onStart: (pid) => {
      reading = setInterval(() => sizes.push(residentMb(pid)), 1000);
    },
  });
  const steady = sizes.filter((size) => size > 0).slice(Math.floor(sizes.length / 10));
  const third = Math.floor(steady.length / 3);
  const [first, last] = [median(steady.slice(0, third)), median(steady.slice(-third))];
  process.stdout.write(
    `${load.counts.sent} requests in ${minutes} min, ${load.sentPerSecond.toFixed(0)}/s, ${load.counts.errors} errors, 99 % sent at most ${load.lateness.p99Ms.toFixed(1)} ms late\n` +
      `memory: first third ${first.toFixed(0)} MB, last third ${last.toFixed(0)} MB, ratio ${(last / first).toFixed(3)} (bound ${bound}), peak ${Math.max(...sizes).toFixed(0)} MB\n`,
  );
  if (!(last / first <= bound)) process.exitCode = 1;
} finally {
  clearInterval(reading);
  server.stop();
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
