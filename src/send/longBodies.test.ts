import { expect, test } from 'vitest';
import { contentOf, RecordedBodies, SharedBodies } from './longBodies.ts';

const long = (letter: string) => Buffer.from(letter.repeat(20_000));
const short = (letter: string) => Buffer.from(letter.repeat(100));

test('long bodies are told apart by their content, short ones not at all', () => {
  expect(contentOf(long('a'))).toBe(contentOf(long('a')));
  expect(contentOf(long('a'))).not.toBe(contentOf(long('b')));
  expect(contentOf(short('a'))).toBeNull();
});

test('a long body that comes again is the one that is there', () => {
  const shared = new SharedBodies();
  const [first, other, few] = [long('a'), long('b'), short('a')];
  expect(shared.share(first)).toBe(first);
  expect(shared.share(other)).toBe(other);
  expect(shared.share(long('a'))).toBe(first);
  expect(shared.share(few)).toBe(few);
});

test('the place of a long body is where it was first', () => {
  const recorded = new RecordedBodies();
  const places = ['x1', 'x2', 'x3'].map((id) => recorded.placeOf(long(id === 'x2' ? 'b' : 'a'), id));
  expect(places).toEqual([null, null, 'x1']);
  expect(recorded.placeOf(short('a'), 'x4')).toBeNull();
  expect(recorded.placeOf(short('a'), 'x5')).toBeNull();
});
