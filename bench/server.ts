import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { operations } from '../src/core/operations.ts';
import { mixes } from './payloads.ts';

// The fixed static server: prints its address, and answers each request with the same bytes every time.

const answers = new Map(
  mixes.mixed.map(({ request: { method, path, query, body }, status, answer }) => {
    const target = query === '' ? path : `${path}?${query}`;
    return [
      [method, target, Buffer.from(body ?? []).toString()].join(' '),
      { status, body: Buffer.from(JSON.stringify(answer)) },
    ];
  }),
);
// A load asks for pages of its own making.
const listPath = operations['wci.list'].path;
const anyList = {
  status: 200,
  body: Buffer.from(
    JSON.stringify(mixes.accepted.find(({ request }) => request.operation === 'wci.list')?.answer),
  ),
};
const unknown = { status: 501, body: Buffer.alloc(0) };

const server = createServer((request, response) => {
  void buffer(request).then((sent) => {
    const { method = '', url = '' } = request;
    const { status, body } =
      answers.get([method, url, sent.toString()].join(' ')) ?? (url.startsWith(listPath) ? anyList : unknown);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': body.length,
    });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
