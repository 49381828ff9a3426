import { connect } from 'node:net';

// Sends callbacks as fast as they are answered: `node driver.ts URL CONNECTIONS COUNT`. It writes bytes that were made before,
// and only counts answers, so that it is the server that sets the pace.

/** What sending came to. */
export interface DriverFigures {
  readonly acknowledged: number;
  readonly ms: number;
}

const [address = '', connections = '1', count = '0'] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(address);
const body = JSON.stringify({
  fid: '00gatecheck-EK3-2026-03-20-DXB-LHR',
  changes: {
    status: 'delay',
    departure: { gate: 'B12', terminal: '3', estimatedTime: '2026-03-20 10:45:00' },
    arrival: { estimatedTime: '2026-03-20 15:10:00', baggageBelt: null },
  },
});
const message = Buffer.from(
  [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Content-Type: application/json',
    'Authorization: gc_bench_callback_key_7',
    'User-Agent: bench',
    'Accept: */*',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n'),
);
const end = Buffer.from('\r\n\r\n');

let left = Number(count);
let acknowledged = 0;
const start = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, sendInTurn));
const figures: DriverFigures = { acknowledged, ms: performance.now() - start };
process.stdout.write(JSON.stringify(figures));

/** One connection: the next callback goes out when the one before is acknowledged. */
function sendInTurn(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const next = () => {
      left -= 1;
      if (left >= 0) socket.write(message);
      else socket.end(resolve);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      // An answer without a body ends with its header, and comes whole.
      if (!chunk.subarray(-4).equals(end) || chunk.toString('latin1', 9, 12) !== '200') {
        reject(new Error(`expected 200 without a body, got ${chunk.toString()}`));
        return;
      }
      acknowledged += 1;
      next();
    });
  });
}
