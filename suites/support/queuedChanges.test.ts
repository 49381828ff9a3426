import { expect, test } from 'vitest';
import { delivery, webhookEvent } from '../../test/support/judge/deliveries.ts';
import { keepsFields, losesNone, lostOf, toldAsLate } from './queuedChanges.ts';

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`;

/** A delivery of a status, 10 s after the one before it, and how it was answered. */
function told(status: string, answer: string, { second = 0, more = {} } = {}) {
  return delivery({ body: webhookEvent({ status, ...more }, { occurredAt: at(second) }), answer });
}

const first = told('IN_PROGRESS', '404');
const again = told('IN_PROGRESS', '202');
const failed = told('FAILED', '202', { second: 10 });
const completed = told('COMPLETED', '202', { second: 11 });

test.each([
  { name: 'in any order', come: [first, failed, completed, again], said: 'holds' },
  { name: 'behind the first', come: [first, again, failed, completed], said: 'holds' },
  { name: 'although the first is given up', come: [first, failed, completed], said: 'holds' },
  { name: 'not, where the address is given up', come: [first], said: 'holds' },
  { name: 'not, after several failures', come: [first, first, again], said: 'holds' },
  { name: 'but for the middle one', come: [first, again, completed], said: 'violated' },
  { name: 'not', come: [first, again], said: 'violated' },
])('later changes are told $name: $said', ({ come, said }) => {
  expect(losesNone(come, lostOf(come, [failed, completed]), true).status).toBe(said);
});

test('what may still come is not lost', () => {
  expect(losesNone([first, again], 'FAILED', false).status).toBe('unclear');
  expect(lostOf([first, again], [])).toBeNull();
});

test('a later change has its own time, also in a repetition of the first', () => {
  const made = { after: Date.parse(at(10)), before: Date.parse(at(11)) };
  expect(toldAsLate([first, failed, completed], made).status).toBe('holds');
  const early = told('COMPLETED', '202');
  expect(toldAsLate([first, failed, early], made)).toMatchObject({ status: 'violated', because: [early] });
  expect(toldAsLate([early, first, failed, completed], made)).toMatchObject({ because: [early] });
});

test('automation may come to the same status by itself, where the change that was asked for is told as well', () => {
  const made = { after: Date.parse(at(10)), before: Date.parse(at(11)) };
  const byItself = told('COMPLETED', '202', { second: 3 });
  expect(toldAsLate([first, byItself, failed, completed], made).status).toBe('holds');
  expect(toldAsLate([first, byItself, failed], made)).toMatchObject({ because: [byItself] });
});

test('a repetition keeps the fields of the first, of which each may have an event of its own', () => {
  const whole = told('IN_PROGRESS', '503', { more: { sub_status: 'A' } });
  expect(keepsFields([whole, again])).toMatchObject({ status: 'violated', because: [whole, again] });
  expect(keepsFields([whole, told('IN_PROGRESS', '202', { more: { sub_status: 'A' } })]).status).toBe(
    'holds',
  );
  expect(keepsFields([whole, failed]).status).toBe('holds');
});
