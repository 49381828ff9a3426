import { expect, test } from 'vitest';
import { clip } from './registerTests.ts';

test('a short text stays as it is', () => {
  expect(clip('expected a number\n  got "x"')).toBe('expected a number\n  got "x"');
});

test('a long text is cut, and says how long it was', () => {
  expect(clip('a'.repeat(5000), 10)).toBe('aaaaaaaaaa… (5000 characters in all)');
});

test('a text of blanks, which comparing would take minutes for, is next to nothing', () => {
  const blanks = ' '.repeat(400_000);
  const started = performance.now();
  expect(clip(blanks)).toBe(' … … (400000 characters in all)');
  expect(clip(`x${blanks}y`).length).toBeLessThan(100);
  expect(performance.now() - started).toBeLessThan(5000);
});
