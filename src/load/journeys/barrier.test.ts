import { expect, test } from 'vitest';
import { Barrier } from './journeyRunner.ts';

test('all go on at once: when the last has begun, and each is there or has ended', async () => {
  const barrier = new Barrier();
  const gone: string[] = [];
  const arrive = (name: string) => void barrier.come().then(() => gone.push(name));
  for (let index = 0; index < 3; index += 1) barrier.begin();
  arrive('a');
  arrive('b');
  await settled();
  barrier.lastBegun();
  await settled();
  expect(gone).toEqual([]);
  // The third one fails before it arrives.
  barrier.end();
  await settled();
  expect(gone).toEqual(['a', 'b']);
});

test('who is alone waits for nobody', async () => {
  const barrier = new Barrier();
  barrier.begin();
  barrier.lastBegun();
  await barrier.come();
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
