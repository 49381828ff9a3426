import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadSuites } from '../engine/suites.ts';
import { byTelling, isTelling, tellingFile, tellingRank } from './telling.ts';

const ids = readFileSync(tellingFile(), 'utf8').trim().split('\n');

test('the order names checks that exist, each once (write it anew with npm run order)', async () => {
  const known = new Set((await loadSuites()).map(({ id }) => id));
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(100);
});

test('what the order does not hold comes behind it, as it stood', () => {
  const [first = '', second = ''] = ids;
  expect(['b', second, 'a', first].toSorted(byTelling)).toEqual([first, second, 'b', 'a']);
  expect([isTelling(first), isTelling(ids.at(-1) ?? ''), tellingRank('nobody')]).toEqual([
    true,
    false,
    Infinity,
  ]);
});
