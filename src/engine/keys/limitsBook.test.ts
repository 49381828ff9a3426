import { expect, test } from 'vitest';
import type { Identification } from '../../judge/limits/identify.ts';
import { KnownLimits, minuteTitle } from './limitsResult.ts';

function entry(title: string, isDocumented: boolean) {
  const identification = { isDocumented, name: title, models: [] } as unknown as Identification;
  return { title, window: { limit: 60, windowMs: 60_000 }, decisions: [], identification };
}

test('budgets are known to be counted by key once the minute limit was seen to be the documented one', () => {
  const book = new KnownLimits();
  expect(book.isByKey).toBe(false);
  book.note(entry('Hour limit', true));
  expect(book.isByKey).toBe(false);
  book.note(entry(minuteTitle, true));
  expect(book.isByKey).toBe(true);
});

test('a try that contradicts the documents stays', () => {
  const book = new KnownLimits();
  book.note(entry(minuteTitle, false));
  book.note(entry(minuteTitle, true));
  expect([book.isByKey, book.found.length]).toEqual([false, 1]);
});
