import { expect, test } from 'vitest';
import { ChangeSignal } from './changeSignal.ts';

const never = new AbortController().signal;

test('whoever waits is woken by the next change, and who is behind does not wait', async () => {
  const signal = new ChangeSignal();
  const woken = signal.after(0, never).then(() => signal.version);
  signal.changed();
  expect(await woken).toBe(1);
  await signal.after(0, never);
  expect(signal.version).toBe(1);
});

test('an abort ends the wait, before it and during it', async () => {
  const signal = new ChangeSignal();
  await signal.after(0, AbortSignal.abort());
  const controller = new AbortController();
  const ended = signal.after(0, controller.signal);
  controller.abort();
  await ended;
  expect(signal.version).toBe(0);
});
