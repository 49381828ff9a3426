import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { KeyRing } from '../../send/keyRing.ts';
import { SharedFixture } from '../fixtures/sharedFixture.ts';
import { createSharedKeys } from './sharedKeys.ts';

const plenty = { quota: 0, subscriptions: 0 };
const allowance = { spent: plenty, limits: { maxQuota: 1000, maxSubscriptions: 1000 } };

function shared(clock = new VirtualClock(0)) {
  const keys = KeyRing.of({ primary: ['key-of-one-record', 'key-of-another'], other: [], special: {} });
  return createSharedKeys({
    ...{ keys, clock, roomOf: () => 58, canGrow: () => true, perMinute: 60 },
    allowance: allowance as unknown as Parameters<typeof createSharedKeys>[0]['allowance'],
  });
}

const made = exchange({ operation: 'wci.subscribe', status: 200, body: {}, key: 'primary#1' });

test('a key whose room others have reserved is full, until the minute is over', async () => {
  const clock = new VirtualClock(0);
  const keys = shared(clock);
  expect(keys.isFull(made, 41)).toBe(false);
  keys.reserve(made, 18);
  expect(keys.isFull(made, 41)).toBe(true);
  expect(keys.isFull(made, 20)).toBe(false);
  await clock.sleep(61_000);
  expect(keys.isFull(made, 41)).toBe(false);
});

test('checks that ask for a record at the same time get as many as their requests need', async () => {
  const keys = shared();
  let count = 0;
  const record = new SharedFixture(() => Promise.resolve({ ...made, id: `x${(count += 1)}` }), {
    isTired: (one, requests) => keys.isFull(one, requests),
    onUse: (one, requests) => keys.reserve(one, requests),
  });
  const got = await Promise.all([18, 6, 41].map((requests) => record.get(requests)));
  expect(got.map(({ id }) => id)).toEqual(['x1', 'x1', 'x2']);
});
