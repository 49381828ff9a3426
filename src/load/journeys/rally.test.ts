import { expect, test } from 'vitest';
import { Rally } from './rally.ts';

test('all go on at once: when the last has begun, and each is there or has ended', async () => {
  const rally = new Rally();
  const gone: string[] = [];
  const arrive = (name: string) => void rally.come().then(() => gone.push(name));
  for (let index = 0; index < 3; index += 1) rally.begin();
  arrive('a');
  arrive('b');
  await settled();
  rally.lastBegun();
  await settled();
  expect(gone).toEqual([]);
  // The third one fails before it arrives.
  rally.end();
  await settled();
  expect(gone).toEqual(['a', 'b']);
});

test('who is alone waits for nobody', async () => {
  const rally = new Rally();
  rally.begin();
  rally.lastBegun();
  await rally.come();
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
