import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { resolveSettings, type Config } from '../index.ts';
import { makeCertificate } from '../receive/certificate.ts';
import { sinkHints } from '../receive/sink.ts';
import type { JsonObject } from '../judge/kernel/body.ts';
import { openSink } from './openSink.ts';
import { noStateHandler, StateHandlerError, type StateHandler } from './stateHandler.ts';
import { freePort } from '../../test/support/freePort.ts';

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

interface Route extends JsonObject {
  readonly host: string;
  readonly address: string;
  readonly ca: string;
}

function router(routes: Route[], fails = false): StateHandler {
  return {
    ...noStateHandler,
    offers: (state) => state === 'callbacks.route',
    set: (state, params) => {
      if (fails) return Promise.reject(new StateHandlerError(state, 'HTTP 500 boom'));
      routes.push(params as unknown as Route);
      return Promise.resolve({ ok: true });
    },
  };
}

async function open(config: Config, stateHandler: StateHandler = noStateHandler) {
  const notices: string[] = [];
  const settings = resolveSettings(
    { target: 'http://127.0.0.1:1', ...config, keys: { primary: 'env:KEY' } },
    { env: { KEY: 'k-123456' } },
  );
  const notice = (text: string) => void notices.push(text);
  const sink = await openSink({ settings, target: { stateHandler }, clock: systemClock, notice });
  if (sink) closes.push(() => sink.close());
  return { sink, notices };
}

async function openThere(...given: Parameters<typeof open>) {
  const { sink, notices } = await open(...given);
  if (!sink) throw new Error('there is no sink');
  return { sink, notices };
}

/** A proxy in front of a port that is known later; it may add a prefix to the path. */
async function proxy(portOf: () => number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    void request(`http://127.0.0.1:${portOf()}${incoming.url ?? ''}`, {
      method: 'POST',
      body: incoming,
    }).then(async ({ statusCode, body }) => outgoing.writeHead(statusCode).end(await body.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a sink that is routed to', () => {
  it('has a public name of its own, and takes what comes under it over TLS', async () => {
    const routes: Route[] = [];
    const { sink } = await openThere({}, router(routes));
    const url = sink.urls['flight-alerts'] ?? '';
    expect(url).toMatch(/^https:\/\/gatecheck-[\da-f]{8}\.example\.com$/);
    expect(sink.urls.webcheckin).toBe(url);
    expect(routes.map(({ host }) => host)).toEqual([
      new URL(url).hostname,
      'example.com',
      'www.example.com',
      'callbacks.example.com',
      'gatecheck-sink.example.com',
    ]);
    const mailbox = sink.inbox.open();
    for (const { host, address, ca } of routes) {
      const dispatcher = new Agent({ connect: { servername: host, ca } });
      const path = host.startsWith('gatecheck-') ? mailbox.token : 'gatecheck/else';
      const answer = await request(`${address}/${path}`, { method: 'POST', body: '{}', dispatcher });
      await answer.body.dump();
      await dispatcher.destroy();
      expect(answer.statusCode).toBe(200);
    }
    expect([mailbox.count, sink.inbox.unwatched, sink.inbox.strays]).toEqual([2, 3, 0]);
  });

  it('is out of reach, with the reason, where the handler does not do what it offers', async () => {
    const { sink, notices } = await openThere({}, router([], true));
    expect(sink.urls).toEqual({ webcheckin: null, 'flight-alerts': null });
    expect(notices).toEqual([expect.stringContaining('HTTP 500 boom')]);
    expect(sinkHints(sink).sink).toContain('give --sink-public-url');
  });
});

describe('a sink behind a public address', () => {
  it('is proved to be the one that the address leads to', async () => {
    const port = await freePort();
    const url = await proxy(() => port);
    const { sink, notices } = await openThere({
      sink: { listen: `127.0.0.1:${port}`, publicUrl: `${url}/base` },
    });
    expect(sink.urls).toEqual({ webcheckin: `${url}/base`, 'flight-alerts': null });
    expect(sinkHints(sink)).toEqual({
      'public-sink': expect.stringContaining('public HTTPS names') as string,
    });
    expect(notices).toHaveLength(1);
    expect(sink.inbox).toMatchObject({ arrived: 0, strays: 0 });
  });

  it('is out of reach where the address leads elsewhere', async () => {
    const { port } = new URL((await openThere({})).sink.urls.webcheckin ?? '');
    const url = await proxy(() => Number(port));
    const { sink, notices } = await openThere({ sink: { publicUrl: url } });
    expect(sink.urls).toEqual({ webcheckin: null, 'flight-alerts': null });
    expect(notices[0]).toMatch(/does not lead to the sink \(HTTP 404 of something else\).*--sink-listen/s);
  });

  it('is out of reach where nobody answers', async () => {
    const { notices } = await openThere({ sink: { publicUrl: `http://127.0.0.1:${await freePort()}` } });
    expect(notices[0]).toContain('ECONNREFUSED');
  });

  it('may have a certificate of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatecheck-sink-'));
    const { cert, key, ca } = makeCertificate(['localhost']);
    writeFileSync(join(folder, 'cert.pem'), `${cert}\n${ca ?? ''}`);
    writeFileSync(join(folder, 'key.pem'), key);
    const port = await freePort();
    const { sink } = await openThere({
      sink: {
        listen: `127.0.0.1:${port}`,
        publicUrl: `https://localhost:${port}`,
        cert: join(folder, 'cert.pem'),
        key: join(folder, 'key.pem'),
      },
    });
    expect(sink.urls).toEqual({ webcheckin: `https://localhost:${port}`, 'flight-alerts': null });
    expect(readFileSync(join(folder, 'cert.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
  });
});

describe('a sink at its listening address', () => {
  it('serves Web Check-in only', async () => {
    const { sink, notices } = await openThere({});
    expect(sink.urls.webcheckin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sink.urls['flight-alerts']).toBeNull();
    expect(notices).toEqual([]);
  });

  it('is not stood up where the target cannot reach it, nor where nothing may be subscribed', async () => {
    const { sink } = await openThere({ target: 'https://qa.example.com' });
    expect(sink.urls).toEqual({ webcheckin: null, 'flight-alerts': null });
    expect(sinkHints(sink).sink).toContain('The target is not on this machine');
    expect((await open({ readOnly: true })).sink).toBeNull();
  });
});

describe('what is wrong with the settings', () => {
  it('is told with what to do', async () => {
    const port = new URL((await openThere({})).sink.urls.webcheckin ?? '').port;
    await expect(open({ sink: { listen: `127.0.0.1:${port}` } })).rejects.toMatchObject({
      exitCode: 2,
      message: `expected to listen on 127.0.0.1:${port}; it is in use`,
      hint: 'Choose another with --sink-listen, or 0 for a free one.',
    });
    await expect(open({ sink: { listen: '192.0.2.1:0' } })).rejects.toMatchObject({ exitCode: 2 });
    const sink = { cert: import.meta.filename, key: import.meta.filename };
    await expect(open({ sink })).rejects.toMatchObject({ code: 'SINK_CERTIFICATE', exitCode: 2 });
  });
});

it('tells at the end what came that nobody waited for', async () => {
  const { sink, notices } = await openThere({});
  const answer = await request(`${sink.urls.webcheckin ?? ''}/old`, { method: 'POST', body: '{}' });
  await answer.body.dump();
  await sink.close();
  await sink.close();
  expect(notices).toEqual([
    'Of the requests to the sink, 1 came to addresses that this run did not give out (of an earlier run, or from elsewhere).',
  ]);
});
