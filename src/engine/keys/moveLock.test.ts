import { expect, test } from 'vitest';
import { MoveLock } from './moveLock.ts';

test('a move waits until nothing is under way, and what comes meanwhile waits for the move', async () => {
  const lock = new MoveLock();
  const done: string[] = [];
  const [request, move] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  const first = lock.during(async () => {
    await request.promise;
    done.push('request');
  });
  const moved = lock.alone(async () => {
    done.push('move begins');
    await move.promise;
    done.push('move ends');
  });
  request.resolve(null);
  await first;
  const later = lock.during(() => Promise.resolve(done.push('later request')));
  move.resolve(null);
  await Promise.all([moved, later]);
  expect(done).toEqual(['request', 'move begins', 'move ends', 'later request']);
});

test('a move that fails leaves the lock free', async () => {
  const lock = new MoveLock();
  await expect(lock.alone(() => Promise.reject(new Error('no clock')))).rejects.toThrow('no clock');
  expect(await lock.during(() => Promise.resolve('sent'))).toBe('sent');
});
