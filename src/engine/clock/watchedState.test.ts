import { expect, test } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { Pacer } from '../../send/pacer.ts';
import { noStateHandler, StateHandlerError, type StateHandler } from '../../target/stateHandler.ts';
import type { Note } from '../../trace/evidence.ts';
import type { RunEvent } from '../observe/events.ts';
import type { Ledger } from '../observe/ledger.ts';
import type { Observer } from '../observe/observer.ts';
import { StateTrust } from '../health/stateTrust.ts';
import { watchState } from './watchedState.ts';

/** An answer that tells more than a journal may hold. */
const answer = { ok: true, included_units: 5, keys: ['s3cret-issued'], apiKey: 's3cret-other' };

function watched(clock: readonly string[] = [], fails: Error | null = null) {
  const told: string[] = [];
  const notes: Note[] = [];
  const events: RunEvent[] = [];
  const redactor = new Redactor();
  redactor.add('s3cret-key', 'key primary#1');
  const handler: StateHandler = {
    ...noStateHandler,
    clock: new Set(clock),
    set: (state) => {
      if (fails !== null) return Promise.reject(fails);
      return Promise.resolve(state === 'clock.advance' ? { now: '2031-01-01T00:00:00.000Z' } : answer);
    },
  };
  const state = watchState(handler, {
    clock: new VirtualClock(0),
    ledger: { state: (name: string) => told.push(`ledger ${name}`) } as unknown as Ledger,
    pacer: { age: (ms: number) => told.push(`aged ${ms}`) } as unknown as Pacer,
    observer: {
      forget: () => told.push('forgotten'),
      note: (note: Note) => {
        notes.push(note);
        told.push(`journal ${note.type}`);
      },
      serverClock: {
        movedMs: 60_000,
        set: (ms: number) => told.push(`clock ${ms}`),
        move: (ms: number) => told.push(`moved ${ms}`),
      },
    } as unknown as Observer,
    journal: { event: (_at, name) => told.push(`journal ${name}`) },
    redactor,
    tell: (event) => events.push(event),
    trust: new StateTrust(),
  });
  return { state, told, events, notes };
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

test('a step has labels for keys, and of the answer only what is no secret', async () => {
  const { state, notes } = watched();
  await state.set('entitlement.get', { key: 's3cret-key' });
  await state.set('callbacks.pending', {});
  expect(notes).toEqual([
    {
      ...{ type: 'step', id: 's1', operation: 'entitlement.get', params: { key: '‹key primary#1›' } },
      ...{ startedAt: 0, endedAt: 0, outcome: 'done', error: null, movedMs: 60_000 },
      told: { ok: true, included_units: 5 },
    },
  ]);
});

test.each([
  ['provider.fail', new StateHandlerError('provider.fail', 'HTTP 500'), 'refused'],
  ['provider.fail', new StateHandlerError('provider.fail', 'timeout', false), 'unknown'],
  ['clock.advance', new StateHandlerError('clock.advance', 'it did not move'), 'unknown'],
])('a step of %s that failed is done or not, as far as its error shows', async (name, error, outcome) => {
  const { state, notes } = watched([], error);
  await expect(state.set(name, {})).rejects.toThrow(error);
  expect(notes).toMatchObject([{ outcome, error: error.message }]);
});
