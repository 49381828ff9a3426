import { expect, test } from 'vitest';
import { ownStart, shownStart } from './ownStart.ts';

test('a short text stays as it is, a long one is cut and counted', () => {
  expect(ownStart('abc', 3)).toBe('abc');
  expect(ownStart('abcd', 3)).toBe('abc');
  expect(shownStart('abcd', 3)).toBe('abc… (4 characters in all)');
  expect(ownStart('aé\ud83d\ude00', 3)).toBe('aé\ud83d');
});

test('the start of a long text does not keep the whole in memory', async () => {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const starts = Array.from({ length: 20 }, (_, index) =>
    ownStart(JSON.parse(JSON.stringify(`${index}${'x'.repeat(4_000_000)}`)) as string, 1000),
  );
  expect(heap() - before).toBeLessThan(20_000_000);
  expect(starts.at(-1)?.slice(0, 4)).toBe('19xx');
});
