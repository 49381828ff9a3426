import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationIds, operations } from '../src/core/operations.ts';
import { payloads } from './payloads.ts';

// The fixed static server: prints its address, and answers each operation with the same bytes every time.

const answers = new Map(
  operationIds.map((id) => {
    const { method, path } = operations[id];
    return [`${method} ${path}`, Buffer.from(JSON.stringify(payloads[id].answer))];
  }),
);

const server = createServer((request, response) => {
  const answer = answers.get(`${request.method ?? ''} ${request.url?.split('?')[0] ?? ''}`);
  request.resume().on('end', () => {
    response.writeHead(answer ? 200 : 404, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': answer?.length ?? 0,
    });
    response.end(answer);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
