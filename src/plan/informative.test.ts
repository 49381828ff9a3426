import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSuites } from '../engine/session/suites.ts';
import { byInformative, isInformative, informativeFile, informativeRank } from './informative.ts';

const ids = readFileSync(informativeFile(), 'utf8').trim().split('\n');

test('the order names checks that exist, each once (write it anew with npm run order)', async () => {
  const known = new Set((await readSuites()).map(({ id }) => id));
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(100);
});

test('what the order does not hold comes behind it, as it stood', () => {
  const [first = '', second = ''] = ids;
  expect(['b', second, 'a', first].toSorted(byInformative)).toEqual([first, second, 'b', 'a']);
  expect([isInformative(first), isInformative(ids.at(-1) ?? ''), informativeRank('nobody')]).toEqual([
    true,
    false,
    Infinity,
  ]);
});
