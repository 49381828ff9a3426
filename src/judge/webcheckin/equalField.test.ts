import { expect, test } from 'vitest';
import type { Json } from '../kernel/body.ts';
import { equalField } from './equalField.ts';

test.each<[what: string, member: string, one: Json, other: Json, isEqual: boolean]>([
  ['another order of what is missing', 'missing_info', ['a', 'b'], ['b', 'a'], true],
  [
    'what is missing since another time',
    'missing_info',
    ['email (2026-11-26T07:17:13.693Z)', { item: 'number', since: '2026-11-26 07:17' }],
    ['email (2026-11-26T07:17:21+00:00)', { item: 'number', since: '2026-11-27 09:00' }],
    true,
  ],
  ['another passenger', 'missing_info', ['passenger 1: email'], ['passenger 2: email'], false],
  ['an item more', 'missing_info', ['a'], ['a', 'b'], false],
  ['another signature of a pass', 'boarding_passes', ['https://a/1?s=1'], ['https://a/1?s=2'], true],
  ['another pass', 'boarding_passes', ['https://a/1'], ['https://a/2'], false],
  ['another count in a text', 'checkin_message', 'opens in 5 min', 'opens in 17 min', true],
  ['another text', 'checkin_message', 'opens soon', 'is over', false],
  ['another time of update', 'last_updated', '2026-11-26T07:17:13.693Z', '2026-11-26T07:17:13.694Z', false],
])('%s', (_what, member, one, other, isEqual) => {
  expect(equalField(member, one, other)).toBe(isEqual);
});
