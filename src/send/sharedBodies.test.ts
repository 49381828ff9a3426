import { expect, test } from 'vitest';
import { contentOf, RecordedBodies, SharedBodies } from './sharedBodies.ts';

const long = (letter: string) => Buffer.from(letter.repeat(20_000));
const short = (letter: string) => Buffer.from(letter.repeat(100));

test('long bodies are told apart by their content, short ones not at all', () => {
  expect(contentOf(long('a'))).toBe(contentOf(long('a')));
  expect(contentOf(long('a'))).not.toBe(contentOf(long('b')));
  expect(contentOf(short('a'))).toBeNull();
});

test('a long body that comes again is the one that is there', () => {
  const shared = new SharedBodies();
  const [first, other] = [long('a'), long('b')];
  expect(shared.share(first)).toBe(first);
  expect(shared.share(other)).toBe(other);
  expect(shared.share(long('a'))).toBe(first);
});

test('a short body that comes again is one object, which keeps nothing else in memory', () => {
  const shared = new SharedBodies();
  const read = Buffer.alloc(1 << 17, 'a');
  const first = shared.share(read.subarray(0, 100));
  expect(first).toEqual(short('a'));
  expect(first.buffer).not.toBe(read.buffer);
  expect(shared.share(short('a'))).toBe(first);
  for (let number = 0; number < 300; number += 1) shared.share(Buffer.from(String(number)));
  expect(shared.share(short('a'))).not.toBe(first);
});

test('the place of a long body is where it was first', () => {
  const recorded = new RecordedBodies();
  const places = ['x1', 'x2', 'x3'].map((id) => recorded.placeOf(long(id === 'x2' ? 'b' : 'a'), id));
  expect(places).toEqual([null, null, 'x1']);
  expect(recorded.placeOf(short('a'), 'x4')).toBeNull();
  expect(recorded.placeOf(short('a'), 'x5')).toBeNull();
});
