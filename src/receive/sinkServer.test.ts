import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { makeCertificate } from './certificate.ts';
import { Inbox, tokensFrom } from './inbox.ts';
import type { SinkLimits } from './limits.ts';
import { openSinkServer, type SinkServer } from './sinkServer.ts';
import { answerStatus, type Script, type ScriptedAnswer } from './script.ts';

const opened: SinkServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function open({ limits = {}, script, tls = false }: Given = {}) {
  const inbox = new Inbox({ clock: systemClock, newToken: tokensFrom('test') });
  const mailbox = inbox.open(script);
  const certificate = tls ? await makeCertificate(['callbacks.example.com', '127.0.0.1']) : null;
  const server = await openSinkServer({
    inbox,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    certificate,
    limits,
  });
  opened.push(server);
  return { inbox, mailbox, server, certificate, path: `/${mailbox.token}` };
}

interface Given {
  readonly limits?: Partial<SinkLimits>;
  readonly script?: Script;
  readonly tls?: boolean;
}

/** Writes bytes to the server and returns all that comes until it closes, or how the connection broke. */
async function raw(port: number, ...parts: readonly (string | number)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${text}${error.code ?? ''}`));
  });
  for (const part of parts) {
    if (typeof part === 'number') await systemClock.sleep(part);
    else socket.write(part, 'latin1');
  }
  return ended;
}

function post(path: string, body: string, headers: readonly string[] = []): string {
  const lines = [`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const lastOne = ['Host: sink.example.com', 'Connection: close'];

describe('what is kept of a delivery', () => {
  it('is what was on the wire: header order, case, repetition and bytes, and the body', async () => {
    const { mailbox, server, path } = await open();
    const headers = [...lastOne, 'x-API-key: a  b:c\xe9', 'X-Twice: 1', 'x-twice: 2'];
    expect(await raw(server.port, post(`${path}?a=1`, '{"a":1}', headers))).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(mailbox.deliveries).toEqual([
      expect.objectContaining({
        id: 'c1',
        method: 'POST',
        target: `${path}?a=1`,
        headers: [
          ['Host', 'sink.example.com'],
          ['Connection', 'close'],
          ['x-API-key', 'a  b:c\xe9'],
          ['X-Twice', '1'],
          ['x-twice', '2'],
          ['Content-Length', '7'],
        ],
        body: Buffer.from('{"a":1}'),
        truncated: false,
        connection: 'k1',
        answer: '200',
      }),
    ]);
  });

  it('spans from the header to the last byte', async () => {
    const { mailbox, server, path } = await open();
    const [head = '', body = ''] = post(path, '{"a":1}', lastOne).split(/(?=\{)/);
    await raw(server.port, head, 60, body);
    const [delivery] = mailbox.deliveries;
    expect((delivery?.receivedAt ?? 0) - (delivery?.startedAt ?? 0)).toBeGreaterThanOrEqual(40);
  });

  it.each([
    [100, { keptBytes: 64, bodyBytes: 1000 }, 64, true, '200'],
    [64, { keptBytes: 64, bodyBytes: 1000 }, 64, false, '200'],
    [1001, { keptBytes: 64, bodyBytes: 1000 }, 64, true, '413'],
  ])('of a body of %i bytes under %j is %i bytes', async (length, limits, kept, truncated, answer) => {
    const { mailbox, server, path } = await open({ limits });
    const text = await raw(server.port, post(path, 'x'.repeat(length), lastOne));
    const [delivery] = mailbox.deliveries;
    expect(delivery).toMatchObject({ truncated, answer });
    expect(delivery?.body.length).toBe(kept);
    if (answer !== '413') expect(text).toContain(`HTTP/1.1 ${answer}`);
  });

  it('is there before the answer goes out', async () => {
    const { inbox, server, path } = await open();
    const kept = Promise.withResolvers<undefined>();
    inbox.listen(() => kept.promise);
    let answered = false;
    const answer = raw(server.port, post(path, '{}', lastOne)).then(() => (answered = true));
    await systemClock.sleep(60);
    expect(answered).toBe(false);
    kept.resolve(undefined);
    await answer;
  });

  it('and what could not be kept is not acknowledged', async () => {
    const { inbox, server, path } = await open();
    inbox.listen(() => Promise.reject(new Error('disk full')));
    expect(await raw(server.port, post(path, '{}', lastOne))).not.toContain('200');
  });
});

describe('scripted answers', () => {
  it.each<[ScriptedAnswer, RegExp]>([
    [answerStatus(204), /^HTTP\/1.1 204 No Content\r\n(?!.*content-length)/is],
    [
      answerStatus(302, { location: 'https://sink.example.com/next' }),
      /^HTTP\/1.1 302 .*location: https:\/\/sink.*\/next\r\n/is,
    ],
    [{ kind: 'status', status: 503, body: 'later' }, /^HTTP\/1.1 503 .*content-length: 5\r\n.*later$/is],
    [{ kind: 'reset' }, /^ECONNRESET$/],
    [{ kind: 'silence' }, /^$/],
  ])('%j', async (answer, expected) => {
    const { mailbox, server, path } = await open({ script: [answer], limits: { silenceMs: 50 } });
    expect(await raw(server.port, post(path, '{}', lastOne))).toMatch(expected);
    expect(mailbox.count).toBe(1);
    expect(mailbox.deliveries[0]?.body).toEqual(Buffer.from('{}'));
  });

  it('closes before the body is read', async () => {
    const { mailbox, server, path } = await open({ script: [{ kind: 'close-early' }] });
    const [head = ''] = post(path, '{"a":1}', lastOne).split(/(?=\{)/);
    expect(await raw(server.port, head)).toMatch(/^(ECONNRESET)?$/);
    expect(mailbox.deliveries).toEqual([
      expect.objectContaining({ answer: 'close-early', truncated: true, body: new Uint8Array() }),
    ]);
  });

  it('answers late', async () => {
    const { server, path } = await open({ script: [answerStatus(200, { delayMs: 80 })] });
    const start = performance.now();
    expect(await raw(server.port, post(path, '{}', lastOne))).toContain('200 OK');
    expect(performance.now() - start).toBeGreaterThanOrEqual(75);
  });

  it('resets a connection under TLS as well', async () => {
    const { server, path, certificate } = await open({ script: [{ kind: 'reset' }], tls: true });
    const dispatcher = new Agent({ connect: { ca: certificate?.ca ?? '' } });
    await expect(
      request(`${server.url}${path}`, { method: 'POST', body: '{}', dispatcher }),
    ).rejects.toMatchObject({ code: 'ECONNRESET' });
    await dispatcher.destroy();
  });

  it('come in turn, on one connection too', async () => {
    const { mailbox, server, path } = await open({
      script: [answerStatus(503), answerStatus(503), answerStatus(200)],
    });
    const dispatcher = new Agent({ connections: 1 });
    const codes: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await request(`${server.url}${path}`, { method: 'POST', body: '{}', dispatcher });
      await answer.body.dump();
      codes.push(answer.statusCode);
    }
    await dispatcher.destroy();
    expect(codes).toEqual([503, 503, 200, 200]);
    expect(new Set(mailbox.deliveries.map(({ connection }) => connection))).toEqual(new Set(['k1']));
  });
});

describe('strangers and limits', () => {
  it('answers unknown paths with 404 and counts them', async () => {
    const { inbox, server } = await open();
    expect(await raw(server.port, post('/else', '{}', lastOne))).toContain('404 Not Found');
    expect([inbox.strays, inbox.arrived]).toEqual([1, 0]);
  });

  it('refuses broken HTTP and long headers, and counts them', async () => {
    const { server, path } = await open({ limits: { headerBytes: 1024 } });
    expect(await raw(server.port, 'nonsense\r\n\r\n')).toContain('400 Bad Request');
    expect(await raw(server.port, post(path, '', [`X: ${'x'.repeat(5000)}`]))).toContain('431');
    expect(server.refused.malformed).toBe(2);
  });

  it('gives up on a sender that takes too long', async () => {
    const { inbox, server, path } = await open({ limits: { requestMs: 300 } });
    expect(await raw(server.port, `POST ${path} HTTP/1.1\r\nHost: a\r\n`)).toContain('408');
    expect(inbox.arrived).toBe(0);
  });

  it('counts a sender that goes away in the middle, and keeps nothing of it', async () => {
    const { inbox, server, path } = await open();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123`);
    await systemClock.sleep(30);
    socket.destroy();
    await once(socket, 'close');
    await systemClock.sleep(30);
    expect([server.refused.broken, inbox.arrived]).toEqual([1, 0]);
  });

  it('takes deliveries while a peer holds all the connections that it may have', async () => {
    const { server, inbox, path } = await open({ limits: { connectionsOfPeer: 5 } });
    const held = Array.from({ length: 20 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of held) socket.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: x\r\n');
    await systemClock.sleep(50);
    const answers = await Promise.all([1, 2, 3].map(() => raw(server.port, post(path, '{}', lastOne))));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'));
    expect(inbox.arrived).toBe(3);
    for (const socket of held) socket.destroy();
  });

  it('takes no more connections than it is told', async () => {
    const { server } = await open({ limits: { connections: 1 } });
    const first = connect(server.port, '127.0.0.1');
    await once(first, 'connect');
    await systemClock.sleep(20);
    expect(await raw(server.port)).toMatch(/^(ECONNRESET)?$/);
    expect(server.refused.connections).toBe(1);
    first.destroy();
  });

  it('takes a request that offers another protocol, as Java clients do', async () => {
    const { mailbox, server, path } = await open();
    const headers = [
      'Host: a',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAA',
    ];
    const socket = connect(server.port, '127.0.0.1');
    socket.write(post(path, '{}', headers));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(chunk.toString()).toContain('200 OK');
    expect(mailbox.count).toBe(1);
  });

  it('says when to go on to a sender that asks', async () => {
    const { server, path } = await open();
    const [head = '', body = ''] = post(path, '{"a":1}', [...lastOne, 'Expect: 100-continue']).split(
      /(?=\{)/,
    );
    expect(await raw(server.port, head, 30, body)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/);
  });

  it('reads no further while requests of a connection that does not wait are without answer', async () => {
    const { inbox, mailbox, server, path } = await open();
    const kept = Promise.withResolvers<undefined>();
    inbox.listen(() => kept.promise);
    const socket = connect(server.port, '127.0.0.1').resume();
    for (let index = 0; index < 500; index += 1) socket.write(post(path, 'x'.repeat(10_000), ['Host: a']));
    await systemClock.sleep(100);
    expect(mailbox.count).toBeLessThan(50);
    kept.resolve(undefined);
    await expect.poll(() => mailbox.count, { timeout: 10_000 }).toBe(500);
    socket.destroy();
  });
});

describe('closing', () => {
  it('lets a delivery under way end, with its answer', async () => {
    const { mailbox, server, path } = await open();
    const [head = '', body = ''] = post(path, '{"a":1}', ['Host: a']).split(/(?=\{)/);
    const answer = raw(server.port, head, 80, body);
    await systemClock.sleep(30);
    await server.close();
    expect(await answer).toContain('200 OK');
    expect(mailbox.count).toBe(1);
  });

  it('ends silence at once, and does not wait for a sender that hangs', async () => {
    const { server, path } = await open({ script: [{ kind: 'silence' }], limits: { drainMs: 100 } });
    const silent = raw(server.port, post(path, '{}', ['Host: a']));
    const hanging = raw(server.port, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`);
    await systemClock.sleep(30);
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).toBeLessThan(1000);
    expect([await silent, await hanging]).toEqual(['', expect.stringMatching(/^(ECONNRESET)?$/)]);
  });

  it('does not wait for a handshake that never comes', async () => {
    const { server } = await open({ tls: true });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    await systemClock.sleep(20);
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it.each([
    [{ host: '127.0.0.1', port: -2 }, 'EADDRINUSE'],
    [{ host: 'no-such-host.invalid', port: 0 }, /ENOTFOUND|EAI_AGAIN/],
  ])('an address that cannot be had is an error: %j', async ({ host, port }, code) => {
    const { inbox, server } = await open();
    const options = {
      inbox,
      clock: systemClock,
      host,
      port: port < 0 ? server.port : port,
      certificate: null,
    };
    await expect(openSinkServer(options)).rejects.toMatchObject({
      code: expect.stringMatching(code) as string,
    });
  });
});

describe('TLS', () => {
  it('shows a certificate for its names that the authority vouches for', async () => {
    const { mailbox, server, path, certificate } = await open({ tls: true });
    const dispatcher = new Agent({
      connect: { ca: certificate?.ca ?? '', servername: 'callbacks.example.com' },
    });
    const answer = await request(`${server.url}${path}`, { method: 'POST', body: '{}', dispatcher });
    await answer.body.dump();
    await dispatcher.destroy();
    expect(answer.statusCode).toBe(200);
    expect(mailbox.deliveries[0]?.connection).toBe('k1');
  });

  it('counts senders that do not trust it', async () => {
    const { server, path } = await open({ tls: true });
    await expect(request(`${server.url}${path}`, { method: 'POST', body: '{}' })).rejects.toThrow();
    await expect.poll(() => server.refused.handshakes).toBe(1);
  });
});
