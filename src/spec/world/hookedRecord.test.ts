import { expect, test } from 'vitest';
import { lookAt } from '../../../test/support/judge/steps.ts';
import { Outbox } from './hookedRecord.ts';

test.each([
  { what: 'after one look', looks: [0], isEmpty: false },
  { what: 'after two looks', looks: [0, 0], isEmpty: true },
  { what: 'while something is pending', looks: [0, 1, 0], isEmpty: false },
])('tells whether all is delivered $what', ({ looks, isEmpty }) => {
  const outbox = new Outbox();
  outbox.note(lookAt(0, 0));
  outbox.note(lookAt(0, 0));
  const mark = outbox.mark(lookAt(0, 0).startedAt);
  expect(outbox.isEmptySince(mark)).toBe(false);
  for (const [index, pending] of looks.entries()) outbox.note(lookAt(index, pending));
  expect(outbox.isEmptySince(mark)).toBe(isEmpty);
});

test('a look that began before something was done says nothing of it', () => {
  const outbox = new Outbox();
  const mark = outbox.mark(lookAt(5, 0).startedAt);
  outbox.note(lookAt(1, 0));
  outbox.note(lookAt(2, 0));
  expect(outbox.isEmptySince(mark)).toBe(false);
});
