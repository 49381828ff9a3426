import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Deployment } from './deployment.ts';
import { bounded, fromHere, longestBody, type Handler } from './bounds.ts';

export interface ListenOptions {
  /** Address to listen on; loopback by default. */
  readonly host?: string;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** Offers the state handler on `/_state` of the same port. */
  readonly stateHandler?: boolean;
  /** Offers the state handler on a port of its own instead; 0 takes a free one. */
  readonly statePort?: number;
}

export interface Listening {
  /** Base address of both APIs, without a trailing slash. */
  readonly url: string;
  readonly stateHandlerUrl: string | null;
  close(): Promise<void>;
}

const STATE_PATH = '/_state';

/** Opens a deployment to the network. */
export async function listen(deployment: Deployment, options: ListenOptions = {}): Promise<Listening> {
  const host = options.host ?? '127.0.0.1';
  const ownPort = options.statePort !== undefined;
  const onSamePort = options.stateHandler === true && !ownPort;
  const stateHandler = fromHere(
    host,
    bounded(longestBody.state, (request) => deployment.stateHandler(request)),
  );
  const api = apiHandler(deployment, onSamePort ? stateHandler : null);
  const main = await open(api, host, options.port ?? 0);
  const state = ownPort ? await open(stateHandler, host, options.statePort) : null;
  return {
    url: main.url,
    stateHandlerUrl: state ? `${state.url}${STATE_PATH}` : onSamePort ? `${main.url}${STATE_PATH}` : null,
    close: async () => {
      await Promise.all([main.close(), state?.close()]);
    },
  };
}

/** Bytes. Beyond its default, Node refuses by itself what the policy has to answer. */
const longestHeader = 128 << 10;

function apiHandler(deployment: Deployment, stateHandler: Handler | null): Handler {
  const connections = new WeakMap<object, string>();
  let opened = 0;
  const api = bounded(longestBody.api, (request, env) => {
    const { socket } = (env as { incoming: IncomingMessage }).incoming;
    const connection = connections.get(socket) ?? String((opened += 1));
    connections.set(socket, connection);
    return deployment.fetch(request, { remoteAddress: socket.remoteAddress ?? '', connection });
  });
  return (request, env) =>
    stateHandler !== null && new URL(request.url).pathname === STATE_PATH
      ? stateHandler(request, env)
      : api(request, env);
}

async function open(
  handler: Handler,
  host: string,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createAdaptorServer({
    fetch: handler,
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: longestHeader },
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
