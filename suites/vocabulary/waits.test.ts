import { expect, test } from 'vitest';
import type { Decision, Ruling } from '../../src/judge/limits/decision.ts';
import { judgeWaits } from './waits.ts';

const hourMs = 3_600_000;

function decision(id: string, sent: number, ruling: Ruling, retryAfter: number | null = null): Decision {
  return {
    id,
    sent,
    received: sent + 100,
    ruling,
    retryAfter,
    key: 'primary#1',
    enterprise: 'primary',
    api: 'webcheckin',
    route: 'wci.list',
    address: null,
    connection: null,
  };
}

/** The oldest request leaves 1000 s after the refusal; the next request comes after 500 s. */
const told = (retryAfter: number, next: Ruling) => [
  decision('x1', 0, 'admitted'),
  decision('x2', hourMs - 1_000_000, 'refused', retryAfter),
  decision('x3', hourMs - 500_000, next, next === 'refused' ? 500 : null),
];

const statuses = (decisions: readonly Decision[]) =>
  Object.entries(judgeWaits(decisions, hourMs)).map(([row, { status }]) => `${row} ${status}`);

test.each([
  ['the rest of the hour', told(1000, 'refused'), ['SHR-LIM-020 holds']],
  ['a whole hour', told(3600, 'refused'), ['SHR-LIM-020 holds']],
  ['milliseconds', told(1_000_000, 'refused'), ['SHR-LIM-020 violated']],
  ['zero', told(0, 'refused'), ['SHR-LIM-020 violated']],
  ['the wait of the minute', told(60, 'refused'), ['SHR-LIM-020 holds', 'SHR-LIM-021 violated']],
  ['a wait that was enough', told(60, 'admitted'), ['SHR-LIM-020 holds', 'SHR-LIM-021 holds']],
  ['a wait of which the answer was lost', told(60, 'unknown'), ['SHR-LIM-020 holds']],
  ['served in the last second', told(500, 'admitted'), ['SHR-LIM-020 holds', 'SHR-LIM-021 holds']],
  ['refused in the last second', told(500, 'refused'), ['SHR-LIM-020 holds']],
  ['nothing refused', [decision('x1', 0, 'admitted')], []],
])('%s', (_title, decisions, expected) => {
  expect(statuses(decisions)).toEqual(expected);
});

test('a key that was not silent shows nothing of the wait', () => {
  const busy = [...told(60, 'refused'), decision('x4', hourMs - 520_000, 'admitted')];
  expect(statuses(busy)).toEqual(['SHR-LIM-020 holds', 'SHR-LIM-021 holds']);
  const late = [...told(600, 'refused'), decision('x4', hourMs - 999_000, 'unknown')];
  expect(statuses(late)).toEqual(['SHR-LIM-020 holds']);
});
