import { expect, test } from 'vitest';
import { errorBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import type { Known } from '../kernel/oracle.ts';
import { watchWaits } from './promisedWait.ts';

const refused = (at: number, retryAfter: number, key = 'issued#1') =>
  exchange({ operation: 'wci.list', status: 429, body: errorBody('X', { retryAfter }), at, key });

function broken(known: Partial<Known>, ...all: Parameters<ReturnType<typeof watchWaits>>[0][]) {
  const watch = watchWaits({ movedMs: 0, ...known });
  const samples = all.flatMap((one) => watch(one));
  return samples.flatMap(({ requirement, judgement }) =>
    judgement.status === 'violated' ? [requirement] : [],
  );
}

test('a key of the run that is refused after the wait that it was told', () => {
  const own = { isOnlyUser: true };
  const after = (at: number, key?: string) => [
    refused(0, 5, key),
    refused(at, 5, key),
    refused(90_000, 5, key),
  ];
  expect(broken(own, ...after(8000))).toEqual(['SHR-LIM-021']);
  expect(broken(own, ...after(5500))).toEqual([]);
  expect(broken({}, ...after(8000))).toEqual([]);
  expect(broken(own, ...after(8000, 'primary#1'))).toEqual([]);
});
