import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { operations } from '../src/core/operations.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { listen } from '../src/reference/listen.ts';

// One of the two servers that are compared, alone in its process: `node bench/statusServer.ts reference|empty`.
// Prints its address, and the key that it knows.

const { path } = operations['wci.status'];
const { enterprises, keys } = defaultEnterprises(1);
const url = process.argv[2] === 'reference' ? await openReference() : await openEmpty();
process.stdout.write(`${url} ${keys.primary[0] ?? ''}\n`);

/** The reference as `gatecheck serve` has it, with limits that the benchmark does not reach. */
async function openReference(): Promise<string> {
  const limits = { perMinute: 1e9, perHour: 1e9 };
  return (await listen(createDeployment({ enterprises, limits }))).url;
}

/** A Hono app that does nothing on the same path, behind the same adapter. */
async function openEmpty(): Promise<string> {
  const app = new Hono();
  app.get(path, (context) => context.text(''));
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
