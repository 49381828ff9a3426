import { expect, test } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { VirtualClock } from '../core/virtualClock.ts';
import type { Pacer } from '../send/pacer.ts';
import { noStateHandler, type StateHandler } from '../target/stateHandler.ts';
import type { RunEvent } from './events.ts';
import type { Ledger } from './ledger.ts';
import type { Observer } from './observer.ts';
import { StateTrust } from './stateTrust.ts';
import { watchState } from './watchedState.ts';

function watched(clock: readonly string[] = []) {
  const told: string[] = [];
  const events: RunEvent[] = [];
  const redactor = new Redactor();
  redactor.add('s3cret-key', 'key primary#1');
  const handler: StateHandler = {
    ...noStateHandler,
    clock: new Set(clock),
    set: (state) => Promise.resolve(state === 'clock.advance' ? { now: '2031-01-01T00:00:00.000Z' } : {}),
  };
  const state = watchState(handler, {
    clock: new VirtualClock(0),
    ledger: { state: (name: string) => told.push(`ledger ${name}`) } as unknown as Ledger,
    pacer: { age: (ms: number) => told.push(`aged ${ms}`) } as unknown as Pacer,
    observer: {
      forget: () => told.push('forgotten'),
      serverClock: {
        set: (ms: number) => told.push(`clock ${ms}`),
        move: (ms: number) => told.push(`moved ${ms}`),
      },
    } as unknown as Observer,
    journal: {
      event: (_at, name) => told.push(`journal ${name}`),
      note: (note) => told.push(`journal ${note.type}`),
    },
    redactor,
    tell: (event) => events.push(event),
    trust: new StateTrust(),
  });
  return { state, told, events };
}

test('a moved clock is followed, and ages the windows where it moves the limits', async () => {
  const { state, told } = watched(['rate-limits']);
  await state.set('clock.advance', { seconds: 60 });
  const set = ['moved 60000', 'aged 60000', 'journal step', 'clock 1924992000000'];
  expect(told).toEqual(['journal state', ...set, 'ledger clock.advance']);
});

test('a clock that leaves the limits alone ages no window', async () => {
  const { state, told } = watched(['dates']);
  await state.set('clock.advance', { seconds: 60 });
  expect(told).not.toContain('aged 60000');
});

test('a reset makes the oracles forget, and what only reads is no side effect', async () => {
  const { state, told } = watched();
  await state.set('reset', {});
  await state.set('callbacks.pending', {});
  expect(told).toEqual(['journal state', 'forgotten', 'journal step', 'ledger reset']);
});

test('states are told with labels for keys; what only reads is not', async () => {
  const { state, events } = watched();
  await state.set('entitlement.set', { key: 's3cret-key', status: 'none' });
  await state.set('callbacks.pending', {});
  expect(events).toEqual([
    {
      name: 'state-set',
      state: 'entitlement.set',
      params: '{"key":"‹key primary#1›","status":"none"}',
      error: null,
    },
  ]);
});
