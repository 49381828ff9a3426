import { expect, test } from 'vitest';
import { delivery } from '../../../test/support/judge/deliveries.ts';
import { eventOf } from '../../spec/world/webhookEvent.ts';
import { LastStates } from './lastStates.ts';

function told(...webhooks: readonly (readonly [status: string, second: number, isOfChange?: boolean])[]) {
  const states = new LastStates();
  for (const [status, second, isOfChange = false] of webhooks) {
    const occurredAt = `2026-03-01T12:00:0${second}.000Z`;
    const event = eventOf(delivery({ body: { occurredAt, checkin_id: 'chk-1', changes: { status } } }));
    if (event) states.note(event, isOfChange);
  }
  return states.of('chk-1')?.status ?? null;
}

test('the webhook of the last change that a journey caused tells the state, whatever the times in it', () => {
  expect(told(['IN_PROGRESS', 5, true], ['COMPLETED', 2, true])).toBe('COMPLETED');
  expect(told(['SCHEDULED', 9], ['IN_PROGRESS', 5, true])).toBe('IN_PROGRESS');
});

test('a repeated one changes nothing, any other that comes later leaves it unsure', () => {
  expect(told(['IN_PROGRESS', 1, true], ['COMPLETED', 2, true], ['IN_PROGRESS', 1])).toBe('COMPLETED');
  expect(told(['COMPLETED', 2, true], ['SCHEDULED', 1])).toBeNull();
  expect(told(['IN_PROGRESS', 1, true], ['COMPLETED', 2, true], ['IN_PROGRESS', 3])).toBeNull();
});
