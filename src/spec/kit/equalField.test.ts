import { expect, test } from 'vitest';
import type { Json } from '../../judge/kernel/body.ts';
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
  [
    'what is missing under other ids',
    'missing_info',
    [
      { id: '0b2c9f0e-6a57-4c8e-9d43-2f6f0a1b7c11', item: 'email' },
      { _id: 'mi_8f2k1q', item: 'number' },
    ],
    [
      { id: 'e7d1a3aa-91c0-4b0f-8a11-5bd0f4a9c222', item: 'email' },
      { _id: 'mi_9z4t7w', item: 'number' },
    ],
    true,
  ],
  ['other words for ids', 'missing_info', [{ id: 'passport-number' }], [{ id: 'date-of-birth' }], false],
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
