import { expect, test } from 'vitest';
import { settlesWithin } from './settlesWithin.ts';

test('what is done in time is told so', async () => {
  expect(await settlesWithin(Promise.resolve('done'), 1000)).toBe(true);
});

test('what never ends is left', async () => {
  expect(await settlesWithin(new Promise(() => undefined), 1)).toBe(false);
});

test('what fails in time fails', async () => {
  await expect(settlesWithin(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no');
});

test('what fails later is heard by nobody', async () => {
  const { promise, reject } = Promise.withResolvers<null>();
  expect(await settlesWithin(promise, 1)).toBe(false);
  reject(new Error('too late'));
  await Promise.resolve();
});
