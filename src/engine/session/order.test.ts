import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlannedCheck } from '../../plan/plan.ts';
import { informativeFile } from '../../plan/informative.ts';
import { besideOf, runningOrder } from './order.ts';
import type { EngineCheck } from '../suite.ts';

function planned(id: string, needs: readonly string[], more: Partial<EngineCheck> = {}) {
  return { check: { id, needs, tags: [], ...more }, cases: 1 } as unknown as PlannedCheck<EngineCheck>;
}

const [telling = ''] = readFileSync(informativeFile(), 'utf8').split('\n');

const checks = [
  planned('looks', [], { tags: ['last-look'] }),
  planned('moves', ['state:clock.advance']),
  planned('minute', ['limit-minute']),
  planned('refuses', ['public-sink'], { tags: ['refuses-deliveries'] }),
  planned('reads', []),
  planned('hour', ['limit-hour']),
  planned('is told', ['sink']),
  planned('writes', ['writes']),
  planned(telling, []),
];

const order = (...clock: string[]) => runningOrder(checks, new Set(clock)).map(({ check }) => check.id);

test('what tells most comes first, then what waits for callbacks, and last what moves the clock', () => {
  expect(order('dates')).toEqual([
    telling,
    'is told',
    'reads',
    'writes',
    'refuses',
    'moves',
    'minute',
    'hour',
    'looks',
  ]);
});

test('the minute limit comes first where the clock moves it', () => {
  expect(order('rate-limits')).toEqual([
    'minute',
    telling,
    'is told',
    'reads',
    'writes',
    'refuses',
    'moves',
    'hour',
    'looks',
  ]);
});

test('what fills keys of its own has to be alone only as long as budgets may be counted otherwise', () => {
  const own = planned('one', ['fillable-limits', 'state:enterprise.create'], { exclusive: true });
  expect([false, true].map((isByKey) => besideOf(own, isByKey))).toEqual(['nothing', 'others']);
  const moving = ['fillable-limits', 'state:enterprise.create', 'state:clock.advance'];
  expect(besideOf(planned('one', moving, { exclusive: true }), true)).toBe('nothing');
});

test('checks that share a record where they are sparing have to be alone only then', () => {
  const one = planned('one', [], { exclusive: 'sparing' });
  expect([1, 2].map((cases) => besideOf({ ...one, cases }))).toEqual(['resting', 'others']);
});

test.each([
  ['others', [], false],
  ['others', ['state:clock.advance'], false],
  ['resting', ['writes', 'state:checkin.progress'], true],
  ['nothing', ['state:clock.advance'], true],
  ['nothing', ['state:provider.fail'], true],
  ['nothing', ['fillable-limits'], true],
])('%s may be under way beside a check that needs %j (exclusive: %s)', (beside, needs, exclusive) => {
  expect(besideOf(planned('one', needs, { exclusive }))).toBe(beside);
});
