import { expect, test } from 'vitest';
import { senderText } from './sender.ts';

test.each([
  [null, null, 'without a key'],
  ['primary#1', 'primary', 'with primary#1'],
  ['issued#12', 'primary', 'with issued#12 of primary'],
  ['issued#13', 'new-vpxqf9yx0078', 'with issued#13 of new-0078'],
  ['issued#13', null, 'with issued#13'],
])('the key %s of %s is named "%s %s"', (key, enterprise, text) => {
  expect(senderText(key, enterprise)).toBe(text);
});
