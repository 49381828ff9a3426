import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server whose latencies are known: each request takes 2 ms, and every STALL_EVERY ms all of it stands still for STALL_MS.
// Prints its address; `GET /stalls` says when the stalls were, on the clock of the machine.

const every = Number(process.argv[2] ?? 1000);
const stall = Number(process.argv[3] ?? 100);
const work = 2;
let until = 0;
const stalls: number[] = [];

const server = createServer((request, response) => {
  if (request.url === '/stalls') {
    response.end(JSON.stringify(stalls));
    return;
  }
  const now = performance.now();
  setTimeout(
    () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"success":true,"data":[],"pagination":{"page":0,"limit":25,"total":0,"totalPages":0}}');
    },
    Math.max(0, until - now) + work,
  );
});

if (stall > 0)
  setInterval(() => {
    until = performance.now() + stall;
    stalls.push(Number(process.hrtime.bigint()) / 1e6);
  }, every);

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
