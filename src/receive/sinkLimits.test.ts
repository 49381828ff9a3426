import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { inTwo, lastOne, openTestSink, post, raw } from '../../test/support/testSink.ts';
import { systemClock } from '../core/clock.ts';
import { openSinkServer } from './sinkServer.ts';

describe('strangers and limits', () => {
  it('answers unknown paths with 404 and counts them', async () => {
    const { inbox, server } = await openTestSink();
    expect(await raw(server.port, post('/else', '{}', lastOne))).toContain('404 Not Found');
    expect([inbox.strays, inbox.arrived]).toEqual([1, 0]);
  });

  it('refuses broken HTTP and long headers, and counts them', async () => {
    const { server, path } = await openTestSink({ limits: { headerBytes: 1024 } });
    expect(await raw(server.port, { bytes: 'nonsense\r\n\r\n' })).toContain('400 Bad Request');
    expect(await raw(server.port, post(path, '', [`X: ${'x'.repeat(5000)}`]))).toContain('431');
    expect(server.refused.malformed).toBe(2);
  });

  it('counts a handshake that fails as that alone, and broken HTTP after one as before', async () => {
    const { server } = await openTestSink({ tls: true });
    await raw(server.port, { bytes: 'POST / HTTP/1.1\r\n\r\n' });
    await expect.poll(() => server.refused).toMatchObject({ handshakes: 1, malformed: 0 });
    const secure = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    secure.resume().write('nonsense\r\n\r\n');
    await once(secure, 'close');
    expect(server.refused).toMatchObject({ handshakes: 1, malformed: 1 });
  });

  it('gives up on a sender that takes too long', async () => {
    const { inbox, server, path } = await openTestSink({ limits: { requestMs: 20 } });
    expect(await raw(server.port, { bytes: `POST ${path} HTTP/1.1\r\nHost: a\r\n` })).toContain('408');
    expect(inbox.arrived).toBe(0);
  });

  it('counts a sender that goes away in the middle, and keeps nothing of it', async () => {
    const { inbox, server, path, headsReached } = await openTestSink();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n123`);
    await headsReached(1);
    socket.destroy();
    await expect.poll(() => server.refused.broken).toBe(1);
    expect(inbox.arrived).toBe(0);
  });

  it('takes deliveries while a peer holds all the connections that it may have', async () => {
    const { server, inbox, path } = await openTestSink({ limits: { connectionsOfPeer: 5 } });
    const held = Array.from({ length: 20 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of held) socket.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: x\r\n');
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const answers = await Promise.all([1, 2, 3].map(() => raw(server.port, post(path, '{}', lastOne))));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'));
    expect(inbox.arrived).toBe(3);
    expect(server.refused.connections).toBeGreaterThanOrEqual(15);
    for (const socket of held) socket.destroy();
  });

  it('takes no more connections than it is told', async () => {
    const { server } = await openTestSink({ limits: { connections: 1 } });
    const first = connect(server.port, '127.0.0.1');
    await once(first, 'connect');
    expect(await raw(server.port)).toMatch(/^(ECONNRESET)?$/);
    expect(server.refused.connections).toBe(1);
    first.destroy();
  });

  it('takes a request that offers another protocol, as Java clients do', async () => {
    const { mailbox, server, path } = await openTestSink();
    const headers = [
      'Host: a',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAA',
    ];
    const socket = connect(server.port, '127.0.0.1');
    socket.write(post(path, '{}', headers).bytes);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(chunk.toString()).toContain('200 OK');
    expect(mailbox.count).toBe(1);
  });

  it('says when to go on to a sender that asks', async () => {
    const { server, path } = await openTestSink();
    const [head, body] = inTwo(post(path, '{"a":1}', [...lastOne, 'Expect: 100-continue']));
    expect(await raw(server.port, head, 'answer', body)).toMatch(
      /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/,
    );
  });

  it('reads no further while requests of a connection that does not wait are without answer', async () => {
    const { inbox, mailbox, server, path, headsReached } = await openTestSink();
    const kept = Promise.withResolvers<undefined>();
    inbox.listen(() => kept.promise);
    const socket = connect(server.port, '127.0.0.1').resume();
    for (let index = 0; index < 500; index += 1)
      socket.write(post(path, 'x'.repeat(10_000), ['Host: a']).bytes);
    await headsReached(2);
    // If it reads at all, it has done so after some whole exchanges with others.
    for (let turn = 0; turn < 5; turn += 1) await raw(server.port, post('/else', '{}', lastOne));
    expect(mailbox.count).toBeLessThan(50);
    kept.resolve(undefined);
    await expect.poll(() => mailbox.count, { timeout: 10_000 }).toBe(500);
    socket.destroy();
  });
});

describe('closing', () => {
  it('lets a delivery under way end, with its answer', async () => {
    const { mailbox, server, path, headsReached } = await openTestSink();
    const [head, body] = inTwo(post(path, '{"a":1}', ['Host: a']));
    const closing = Promise.withResolvers<undefined>();
    const answer = raw(server.port, head, closing.promise, body);
    await headsReached(1);
    const closed = server.close();
    closing.resolve(undefined);
    await closed;
    expect(await answer).toContain('200 OK');
    expect(mailbox.count).toBe(1);
  });

  it('ends silence at once, and does not wait for a sender that hangs', async () => {
    const limits = { drainMs: 10 };
    const { server, path, headsReached } = await openTestSink({ script: [{ kind: 'silence' }], limits });
    const silent = raw(server.port, post(path, '{}', ['Host: a']));
    const [head] = inTwo(post(path, '{"a":1}', ['Host: a']));
    const hanging = raw(server.port, head);
    await headsReached(2);
    await server.close();
    expect([await silent, await hanging]).toEqual(['', expect.stringMatching(/^(ECONNRESET)?$/)]);
  });

  it('does not wait for a handshake that never comes', async () => {
    const { server } = await openTestSink({ tls: true });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const gone = once(socket, 'close');
    await server.close();
    await gone;
  });

  it.each([
    [{ host: '127.0.0.1', port: -2 }, 'EADDRINUSE'],
    [{ host: 'no-such-host.invalid', port: 0 }, /ENOTFOUND|EAI_AGAIN/],
  ])('an address that cannot be had is an error: %j', async ({ host, port }, code) => {
    const { inbox, server } = await openTestSink();
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
    const { mailbox, server, path, certificate } = await openTestSink({ tls: true });
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
    const { server, path } = await openTestSink({ tls: true });
    await expect(request(`${server.url}${path}`, { method: 'POST', body: '{}' })).rejects.toThrow();
    await expect.poll(() => server.refused.handshakes).toBe(1);
  });
});
