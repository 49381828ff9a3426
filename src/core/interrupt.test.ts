import { afterEach, expect, test, vi } from 'vitest';
import { abortOnInterrupt } from './interrupt.ts';

function setUp() {
  const exits: number[] = [];
  let time = 0;
  let react: () => void = () => undefined;
  const io = {
    exit: (code: number) => void exits.push(code),
    onInterrupt: (task: () => void) => {
      react = task;
      return () => (react = () => undefined);
    },
  };
  const { signal, release } = abortOnInterrupt(io, () => time);
  const interruptAt = (ms: number) => {
    time = ms;
    react();
  };
  return { exits, signal, release, interruptAt };
}

test('the first interrupt aborts, the second ends the process', () => {
  const { exits, signal, interruptAt } = setUp();
  interruptAt(1000);
  expect([signal.aborted, exits]).toEqual([true, []]);
  interruptAt(2000);
  expect(exits).toEqual([130]);
});

test('the echo of an interrupt does not count', () => {
  const { exits, interruptAt } = setUp();
  interruptAt(1000);
  interruptAt(1010);
  expect(exits).toEqual([]);
});

test('a released signal is not aborted any more', () => {
  const { signal, release, interruptAt } = setUp();
  release();
  interruptAt(1000);
  expect(signal.aborted).toBe(false);
});

afterEach(() => {
  vi.useRealTimers();
});

test('two minutes after the first interrupt the process ends, whatever holds it', () => {
  vi.useFakeTimers();
  const { exits, interruptAt } = setUp();
  interruptAt(1000);
  vi.advanceTimersByTime(119_000);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(exits).toEqual([130]);
});

test('what has ended in time is left alone', () => {
  vi.useFakeTimers();
  const { exits, release, interruptAt } = setUp();
  interruptAt(1000);
  release();
  vi.advanceTimersByTime(200_000);
  expect(exits).toEqual([]);
});
