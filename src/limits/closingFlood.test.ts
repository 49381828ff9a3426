import { expect, test } from 'vitest';
import type { WireResult } from '../send/transport.ts';
import { closingFlood, endsConnection } from './closingFlood.ts';

test.each([
  [true, [['Connection', 'close']]],
  [
    true,
    [
      ['Connection', 'close'],
      ['Content-Length', '2'],
    ],
  ],
  [true, [['Content-Type', 'application/json']]],
  [false, [['content-length', '2']]],
  [false, [['Transfer-Encoding', 'chunked']]],
] as const)('ends its connection: %s, by %j', (expected, headers) => {
  expect(endsConnection(headers.map(([name, value]) => [name, value]))).toBe(expected);
});

test('sends the requests in turn until the time is over, and never more than allowed', async () => {
  let time = 0;
  const clock = { now: () => time, monotonic: () => time } as never;
  const request = (target: string) => ({
    baseUrl: 'http://x',
    method: 'GET',
    target,
    headers: [],
    body: null,
  });
  const run = async (maxRequests: number) => {
    const answers: [number, number, number][] = [];
    time = 0;
    await closingFlood([request('/a'), request('/b'), request('/c')], {
      ...{ clock, maxRequests, connections: 2, durationMs: 100, signal: new AbortController().signal },
      onAnswer: (...answer) => answers.push(answer),
      onError: (error) => expect(error).toBeUndefined(),
      transport: {
        send: ({ target }): Promise<WireResult> => {
          const sent = time;
          time += 10;
          const response = {
            status: target === '/b' ? 429 : 200,
            headers: [],
            body: Buffer.alloc(0),
            truncated: false,
          };
          const timings = { sentAt: sent, sent, receivedAt: time, received: time };
          return Promise.resolve({ outcome: { kind: 'response', response }, timings });
        },
      },
    });
    return answers;
  };
  expect((await run(4)).map(([index, status]) => [index, status])).toEqual([
    [0, 200],
    [1, 429],
    [2, 200],
    [0, 200],
  ]);
  expect(await run(1000)).toHaveLength(10);
});
