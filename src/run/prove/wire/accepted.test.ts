import { expect, test } from 'vitest';
import { mutantOf } from '../../../wire/mutants/place.ts';
import { acceptedAs, loadAccepted, stalePatterns } from './accepted.ts';

const groups = loadAccepted();

test('every accepted group says why, and quotes a document', () => {
  for (const { because, quotes } of groups) {
    expect(because).toMatch(/\.$/);
    for (const quote of quotes) expect(quote).toMatch(/^(Web Check-in|Flight Alerts), [^:]+: ".+"$/);
  }
});

test('a pattern covers its place under every condition, but for those that it leaves out', () => {
  const place = { family: 'answer', about: 'wci.list', status: 401, carrier: null, path: 'error' } as const;
  expect(acceptedAs(mutantOf(place, 'case', 'always'), groups)?.because).toMatch(/spelt/);
  expect(acceptedAs(mutantOf(place, 'case', 'again'), groups)).toBeNull();
  expect(acceptedAs(mutantOf({ ...place, path: 'message' }, 'case', 'again'), groups)).not.toBeNull();
  expect(acceptedAs(mutantOf({ ...place, path: 'message' }, 'omit', 'always'), groups)).toBeNull();
});

test('a pattern that no mutant fits is stale', () => {
  const place = { family: 'deaf', about: 'wci.update', status: null, carrier: 'json', path: 'type' } as const;
  const stale = stalePatterns([mutantOf(place, 'removed', 'always')], groups);
  expect(stale).toHaveLength(groups.flatMap(({ mutants }) => mutants).length - 1);
});
