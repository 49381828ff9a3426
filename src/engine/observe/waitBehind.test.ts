import { expect, test } from 'vitest';
import type { Callbacks, Waited } from './callbacks.ts';
import { waitBehind } from './waitBehind.ts';

/** A queue in order that repeats what was refused after so many seconds, and delivers what is awaited then. */
function queue({ repeatsAt = Infinity, canPass = true, mayRepeat = (): boolean => true } = {}) {
  const passed: number[] = [];
  const patiences: unknown[] = [];
  const isDue = () => passed.reduce((sum, seconds) => sum + seconds, 0) >= repeatsAt;
  const wait: Callbacks['wait'] = (_address, _enough, options) => {
    patiences.push(options?.patienceMs ?? 'usual');
    return Promise.resolve<Waited>(isDue() ? 'come' : 'patience');
  };
  const pass = (ms: number) => {
    if (canPass) passed.push(ms / 1_000);
    return Promise.resolve(canPass);
  };
  const behind = waitBehind({ wait, mayRepeat, pass, soonMs: 1_000 });
  const look = (patienceMs?: number) =>
    behind(
      { url: 'https://sink.example.com', mailbox: {} as never },
      () => false,
      ...(patienceMs === undefined ? [] : [{ patienceMs }]),
    );
  return { look, passed, patiences };
}

test('the clock is moved until what is held back comes, and no further', async () => {
  const { look, passed, patiences } = queue({ repeatsAt: 60 });
  expect(await look()).toBe('come');
  expect(passed).toEqual([5, 15, 45]);
  expect(patiences).toEqual(['usual', 1_000, 1_000, 1_000]);
});

test('what never comes is waited for as usual once more, after half an hour', async () => {
  const { look, passed, patiences } = queue();
  expect(await look()).toBe('patience');
  expect(passed.reduce((sum, seconds) => sum + seconds, 0)).toBe(1_805);
  expect(patiences.at(-1)).toBe('usual');
});

test('what was repeated meanwhile ends the moves, not the wait', async () => {
  let left = 2;
  const { look, passed, patiences } = queue({ mayRepeat: () => (left -= 1) >= 0 });
  expect(await look()).toBe('patience');
  expect(passed).toEqual([5, 15]);
  expect(patiences).toEqual(['usual', 1_000, 1_000, 'usual']);
});

test.each([
  ['nothing was refused', { mayRepeat: () => false }, undefined],
  ['the clock cannot be moved', { canPass: false }, undefined],
  ['the caller has a patience of its own', {}, 300],
])('the clock stays as it is where %s', async (_name, options, patienceMs) => {
  const { look, passed, patiences } = queue(options);
  expect(await look(patienceMs)).toBe('patience');
  expect([passed.length, patiences.length]).toEqual([0, 1]);
});
