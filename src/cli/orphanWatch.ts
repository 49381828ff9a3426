import { Worker } from 'node:worker_threads';

const everyMs = 1000;
/** Longer than reports take to write, which beats all the while. */
const patienceMs = 20_000;

/** Once the launcher is gone, nobody else could end this process if its main thread hears nothing any more. */
const watcher = `
const { workerData: { beats, parent, patienceMs, everyMs } } = require('node:worker_threads');
let seen = -1;
let since = performance.now();
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== seen || process.ppid === parent) {
    seen = beat;
    since = performance.now();
  } else if (performance.now() - since > patienceMs) process.kill(process.pid, 'SIGKILL');
}, everyMs);
`;

/** Ends this process if the one that started it is gone and its main thread stands still: as long as that lives, it ends by itself. */
export function watchForOrphan({ parent = process.ppid, patience = patienceMs } = {}): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), everyMs / 2).unref();
  const workerData = { beats, parent, patienceMs: patience, everyMs };
  const worker = new Worker(watcher, { eval: true, workerData, execArgv: [], stdin: false });
  worker.on('error', () => undefined);
  worker.unref();
}
