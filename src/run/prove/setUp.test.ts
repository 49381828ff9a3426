import { expect, test } from 'vitest';
import { KeyRing } from '../../send/keyRing.ts';
import { noStateHandler, type StateHandler } from '../../target/stateHandler.ts';
import type { Target } from '../../target/target.ts';
import type { Sink } from '../../receive/sink.ts';
import { jobsOf } from './jobs.ts';
import { fillIn } from '../../settings/row.ts';
import { proofOf, proofTable, refuseIdleSetUp } from './proofSettings.ts';
import { setUps, sinkFor, targetFor } from './setUp.ts';

const states = ['checkin.complete', 'clock.advance', 'enterprise.create', 'keys.issue'];
const handler: StateHandler = { ...noStateHandler, states, offers: (state) => states.includes(state) };
const keys = KeyRing.of({
  primary: ['a', 'b', 'c', 'd'],
  other: ['x', 'y'],
  special: { revoked: 'r', exhausted: 'e' },
});
const target = { keys, stateHandler: handler } as unknown as Target;
const sink = { urls: { webcheckin: 'https://a', 'flight-alerts': 'https://b' } } as unknown as Sink;

test.each([
  ['embedded', 'abcd xy re', states, 2],
  ['one-key', 'a', [], 1],
  ['production', 'a x', [], 0],
  ['three-keys', 'abc x re', [], 2],
  ['two-keys-and-handler', 'ab x', states, 2],
  ['events-only', 'abcd xy re', ['checkin.complete'], 2],
  ['no-callbacks', 'abcd xy re', states, 0],
] as const)('%s', (setUp, expectedKeys, expectedStates, callbacks) => {
  const seen = targetFor(setUp, target);
  const values = [seen.keys.primary, seen.keys.other].map((some) => some.map(({ value }) => value).join(''));
  const special = ['revoked', 'exhausted'] as const;
  const barred = special.map((name) => seen.keys.special(name)?.value ?? '').join('');
  expect([values[0], values[1], barred].filter(Boolean).join(' ')).toBe(expectedKeys);
  expect(states.filter((state) => seen.stateHandler.offers(state))).toEqual(expectedStates);
  expect(seen.stateHandler.states).toEqual(expectedStates);
  const urls = Object.values(sinkFor(setUp, sink)?.urls ?? {});
  expect(urls.filter((url) => url !== null)).toHaveLength(callbacks);
});

test('each random dialect is judged with another set-up in turn, unless one is named', () => {
  const settings = { covering: false, defects: false, random: setUps.length + 1 };
  const drawn = jobsOf(proofOf(settings)).map(({ setUp }) => setUp);
  expect(drawn).toEqual([...setUps, setUps[0]]);
  const named = jobsOf(proofOf({ ...settings, setUp: 'production' }));
  expect(new Set(named.map(({ setUp }) => setUp))).toEqual(new Set(['production']));
});

test('the curve is that of a user with one key', () => {
  expect(new Set(jobsOf(proofOf({ curve: true })).map(({ setUp }) => setUp))).toEqual(new Set(['one-key']));
});

test.each([
  [{ curve: true }, false, '--curve'],
  [{ wire: true, variation: ['*'] }, true, '--target'],
])('a set-up that would not be heeded is refused: %j', (given, isOnTarget, named) => {
  const options = { ...fillIn(proofTable, {}), ...given };
  expect(() => refuseIdleSetUp({ ...options, setUp: 'production' }, isOnTarget)).toThrow(named);
  expect(() => refuseIdleSetUp(options, isOnTarget)).not.toThrow();
});

test('a set-up is heeded by dialects, by defects and by variations of the wire', () => {
  const options = { ...fillIn(proofTable, {}), setUp: 'production' as const };
  expect(() => refuseIdleSetUp(options, false)).not.toThrow();
  expect(() => refuseIdleSetUp({ ...options, wire: true }, false)).not.toThrow();
});
