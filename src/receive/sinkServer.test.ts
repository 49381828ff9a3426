import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { inTwo, lastOne, openTestSink, post, raw } from '../../test/support/testSink.ts';
import { VirtualClock } from '../core/virtualClock.ts';
import { answerStatus, type ScriptedAnswer } from './script.ts';

describe('what is kept of a delivery', () => {
  it('is what was on the wire: header order, case, repetition and bytes, and the body', async () => {
    const { mailbox, server, path } = await openTestSink();
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
    const clock = new VirtualClock(1_000_000);
    const { mailbox, server, path, headsReached } = await openTestSink({ clock });
    const [head, body] = inTwo(post(path, '{"a":1}', lastOne));
    const passing = headsReached(1).then(() => clock.advance(60));
    await raw(server.port, head, passing, body);
    const [delivery] = mailbox.deliveries;
    expect(delivery).toMatchObject({ startedAt: 1_000_000, receivedAt: 1_000_060 });
  });

  it.each([
    [100, { keptBytes: 64, bodyBytes: 1000 }, 64, true, '200'],
    [64, { keptBytes: 64, bodyBytes: 1000 }, 64, false, '200'],
    [1001, { keptBytes: 64, bodyBytes: 1000 }, 64, true, '413'],
  ])('of a body of %i bytes under %j is %i bytes', async (length, limits, kept, truncated, answer) => {
    const { mailbox, server, path } = await openTestSink({ limits });
    const text = await raw(server.port, post(path, 'x'.repeat(length), lastOne));
    const [delivery] = mailbox.deliveries;
    expect(delivery).toMatchObject({ truncated, answer });
    expect(delivery?.body.length).toBe(kept);
    if (answer !== '413') expect(text).toContain(`HTTP/1.1 ${answer}`);
  });

  it('is there before the answer goes out', async () => {
    const { inbox, server, path } = await openTestSink();
    const [arrived, kept] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    inbox.listen(() => {
      arrived.resolve(undefined);
      return kept.promise;
    });
    let answered = false;
    const answer = raw(server.port, post(path, '{}', lastOne)).then(() => (answered = true));
    await arrived.promise;
    // A whole exchange with the same server: enough time for an answer that is not delayed.
    await raw(server.port, post('/else', '{}', lastOne));
    expect(answered).toBe(false);
    kept.resolve(undefined);
    await answer;
  });

  it('and what could not be kept is not acknowledged', async () => {
    const { inbox, server, path } = await openTestSink();
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
    const clock = new VirtualClock(0);
    const { mailbox, server, path } = await openTestSink({ script: [answer], clock });
    expect(await raw(server.port, post(path, '{}', lastOne))).toMatch(expected);
    expect(mailbox.count).toBe(1);
    expect(mailbox.deliveries[0]?.body).toEqual(Buffer.from('{}'));
  });

  it('closes before the body is read', async () => {
    const { mailbox, server, path } = await openTestSink({ script: [{ kind: 'close-early' }] });
    const [head] = inTwo(post(path, '{"a":1}', lastOne));
    expect(await raw(server.port, head)).toMatch(/^(ECONNRESET)?$/);
    expect(mailbox.deliveries).toEqual([
      expect.objectContaining({ answer: 'close-early', truncated: true, body: new Uint8Array() }),
    ]);
  });

  it('answers late', async () => {
    const clock = new VirtualClock(0);
    const { server, path } = await openTestSink({ script: [answerStatus(200, { delayMs: 80_000 })], clock });
    expect(await raw(server.port, post(path, '{}', lastOne))).toContain('200 OK');
    expect(clock.monotonic()).toBe(80_000);
  });

  it('resets a connection under TLS as well', async () => {
    const { server, path, certificate } = await openTestSink({ script: [{ kind: 'reset' }], tls: true });
    const dispatcher = new Agent({ connect: { ca: certificate?.ca ?? '' } });
    await expect(
      request(`${server.url}${path}`, { method: 'POST', body: '{}', dispatcher }),
    ).rejects.toMatchObject({ code: 'ECONNRESET' });
    await dispatcher.destroy();
  });

  it('come in turn, on one connection too', async () => {
    const { mailbox, server, path } = await openTestSink({
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
