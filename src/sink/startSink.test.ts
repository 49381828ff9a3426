import { expect, test } from 'vitest';
import { startSink } from './startSink.ts';

const post = async (url: string, body: string) => (await fetch(url, { method: 'POST', body })).status;

test('deliveries come one by one, answered as the script says', async () => {
  await using sink = await startSink({ answer: '503,200' });
  expect(await post(sink.url, 'one')).toBe(503);
  expect(await post(sink.url, 'two')).toBe(200);
  const bodies = [await sink.next(), await sink.next()].map(({ body }) => Buffer.from(body).toString());
  expect(bodies).toEqual(['one', 'two']);
  sink.answerWith('410');
  expect(await post(sink.url, 'three')).toBe(410);
  expect(sink.deliveries).toHaveLength(3);
});

test('who waits is told that nothing came', async () => {
  await using sink = await startSink();
  await expect(sink.next(1)).rejects.toThrow('expected a delivery within 1 ms; got none');
});

test('an answer that nobody can give is refused', async () => {
  await expect(startSink({ answer: 'maybe' })).rejects.toMatchObject({ code: 'BAD_ANSWER', exitCode: 2 });
});
