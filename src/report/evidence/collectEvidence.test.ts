import { expect, test } from 'vitest';
import type { JournalLine } from '../../send/journalLine.ts';
import { stateLineOf, withOwners } from './collectEvidence.ts';

const step = (operation: string) =>
  ({
    ...{ type: 'step', id: 's1', operation, params: { seconds: 60 }, startedAt: '2026-07-01T10:00:00.000Z' },
    ...{ durationMs: 20, outcome: 'refused', error: 'no', told: {}, movedMs: 0 },
  }) as JournalLine;

test('a step is shown as the state that was set when it ended, and one that only reads is not', () => {
  expect(stateLineOf(step('clock.advance'))).toEqual({
    ...{ type: 'event', name: 'state-set', at: '2026-07-01T10:00:00.020Z' },
    data: { state: 'clock.advance', params: '{"seconds":60}', error: 'no' },
  });
  expect(stateLineOf(step('entitlement.get'))).toBeNull();
});

test('journals of older versions hold it as an event', () => {
  const event = { type: 'event', at: '2026-07-01T10:00:00.000Z', name: 'state-set', data: {} } as const;
  expect(stateLineOf(event)).toBe(event);
  expect(stateLineOf({ ...event, name: 'notice' })).toBeNull();
});

test('the keys in what a state was set to are said whose they are', () => {
  const params = '{"key":"‹key issued#7›","other":"‹key primary#1›"}';
  const line = {
    type: 'event',
    name: 'state-set',
    at: '',
    data: { state: 'keys.revoke', params, error: null },
  } as const;
  expect(withOwners(line, new Map([['issued#7', 'primary']])).data.params).toBe(
    '{"key":"‹key issued#7 of primary›","other":"‹key primary#1›"}',
  );
});
