import { expect, test } from 'vitest';
import { withoutNumbers } from './withoutNumbers.ts';

test.each([
  ['Retry in 30s, attempt 2 of x7y.', 'Retry in #, attempt # of #.'],
  ['½ done', '# done'],
  ['nothing to count: äöü', 'nothing to count: äöü'],
  ['a-1_b2', 'a-#_#'],
  ['', ''],
])('%j becomes %j', (text, plain) => {
  expect(withoutNumbers(text)).toBe(plain);
});

test('a word of two million letters takes no time that grows with its square', () => {
  const long = 'h'.repeat(2_000_000);
  const started = performance.now();
  expect(withoutNumbers(`${long} ${long}7`)).toBe(`${long} #`);
  expect(performance.now() - started).toBeLessThan(5000);
});
