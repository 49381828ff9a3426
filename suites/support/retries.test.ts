import { expect, test } from 'vitest';
import { delivery, webhookEvent } from '../../test/support/judge/deliveries.ts';
import { isRepeated, isTriedAgain, notRepeated, sameBodies, Schedule, toldWhen } from './retries.ts';

const failed = (body: unknown = webhookEvent()) => delivery({ body, answer: '503' });
const noon = Date.parse('2026-03-01T12:00:00.000Z');

test('a schedule tells the pauses as far as they can be known', () => {
  const schedule = new Schedule(1_000);
  for (const [now, count] of [
    [2_000, 1],
    [5_000, 1],
    [7_000, 2],
    [30_000, 2],
    [42_000, 3],
    [7_200_000, 4],
  ] as const)
    schedule.look(now, count);
  expect(schedule.describe()).toBe('5 s, 30 s, 60 min');
});

test('a schedule that saw nothing again tells nothing', () => {
  const schedule = new Schedule(0);
  schedule.look(10_000, 1);
  expect(schedule.describe()).toBe('');
});

const changes = { status: 'IN_PROGRESS', sub_status: 'X' };

test.each([
  { name: 'the same bytes', second: { body: webhookEvent(changes) }, said: 'holds' },
  { name: 'the members in another order', second: { raw: JSON.stringify(reversed()) }, said: 'holds' },
  {
    name: 'members of the changes in another order',
    second: { body: reversed({ sub_status: 'X', status: 'IN_PROGRESS' }) },
    said: 'holds',
  },
  { name: 'another member', second: { body: webhookEvent(changes, { attempt: 2 }) }, said: 'violated' },
  { name: 'an array', second: { body: [webhookEvent(changes)] }, said: 'violated' },
  { name: 'what was not read', second: { raw: '', truncated: true }, said: 'unclear' },
])('a repetition with $name: $said', ({ second, said }) => {
  expect(sameBodies([failed(webhookEvent(changes)), delivery(second)]).status).toBe(said);
});

const part = (told: object, extra = {}) => failed(webhookEvent(told, extra));
const whole = [part({ status: 'IN_PROGRESS' }), part({ sub_status: 'X' })];

test.each([
  { name: 'the parts once', more: [], said: 'unclear' },
  { name: 'the parts again', more: whole, said: 'holds' },
  { name: 'a part with another member', more: [part({ sub_status: 'X' }, { attempt: 2 })], said: 'violated' },
  { name: 'a part with another value', more: [part({ status: 'FAILED' })], said: 'violated' },
  { name: 'no changes', more: [part({})], said: 'violated' },
])('of a change that is told in several events, $name: $said', ({ more, said }) => {
  expect(sameBodies([...whole, ...more]).status).toBe(said);
});

test('a single duplicate is tolerated, and a steady repetition is not', () => {
  const taken = () => delivery({ answer: '204' });
  expect(notRepeated([taken(), taken()]).status).toBe('holds');
  expect(notRepeated([taken(), taken(), taken()]).status).toBe('violated');
  const another = delivery({ body: webhookEvent({ status: 'FAILED' }), answer: '204' });
  expect(notRepeated([taken(), another, taken()]).status).toBe('holds');
});

test.each([
  { name: 'was repeated', count: 2, othersAre: true, isOver: true, said: 'holds' },
  { name: 'was not, unlike others', count: 1, othersAre: true, isOver: true, said: 'violated' },
  { name: 'was not, like all others', count: 1, othersAre: false, isOver: true, said: 'unclear' },
  { name: 'may still be', count: 1, othersAre: true, isOver: false, said: 'unclear' },
  { name: 'never came', count: 0, othersAre: true, isOver: true, said: 'unclear' },
])('a failed delivery that $name: $said', ({ count, othersAre, isOver, said }) => {
  expect(isRepeated({ come: Array.from({ length: count }, () => failed()), othersAre, isOver }).status).toBe(
    said,
  );
});

test('where another event was the one that was refused, that one has to come again', () => {
  const [before, event] = [webhookEvent({ status: 'SCHEDULED' }), webhookEvent({ status: 'FAILED' })];
  const of = { othersAre: true, isOver: true };
  const taken = (body: unknown) => delivery({ body, answer: '202' });
  expect(isRepeated({ come: [taken(before), taken(event)], ...of }).status).toBe('holds');
  expect(isRepeated({ come: [taken(before), failed(event), taken(event)], ...of }).status).toBe('holds');
  expect(isRepeated({ come: [taken(before), failed(event)], ...of }).status).toBe('violated');
});

test.each([
  { at: noon, said: 'holds' },
  { at: noon - 2_900, said: 'holds' },
  { at: noon + 3_100, said: 'violated' },
  { at: noon - 60_000, said: 'violated' },
])('occurredAt of every delivery lies where the change was made: $at', ({ at, said }) => {
  const occurredAt = new Date(at).toISOString();
  const repeat = delivery({ body: webhookEvent(undefined, { occurredAt }) });
  expect(toldWhen([failed(), repeat], { after: noon - 10, before: noon + 10 }).status).toBe(said);
});

test('what tells no time says nothing of it', () => {
  const untold = delivery({ body: webhookEvent(undefined, { occurredAt: undefined }) });
  expect(toldWhen([untold], { after: 0, before: 1 }).status).toBe('unclear');
});

function reversed(told: unknown = changes): Record<string, unknown> {
  return Object.fromEntries(Object.entries(webhookEvent(told)).reverse());
}

test('a second failure is followed by a third delivery where others have three', () => {
  const throttled = () => delivery({ answer: '429' });
  expect(isTriedAgain([failed(), throttled()], 4)?.status).toBe('violated');
  expect(isTriedAgain([failed(), throttled(), delivery({ answer: '200' })], 4)?.status).toBe('holds');
  expect(isTriedAgain([failed(), throttled()], 2)).toBeNull();
  expect(isTriedAgain([failed()], 4)).toBeNull();
});
