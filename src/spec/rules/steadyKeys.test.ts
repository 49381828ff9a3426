import { expect, test } from 'vitest';
import { errorBody, statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const read = (enterprise: string, key: string) =>
  exchange({
    operation: 'wci.status',
    query: 'checkin_id=a',
    body: statusBody({ checkin_id: 'a' }),
    enterprise,
    key,
  });
const refuse = (enterprise: string, key: string) =>
  exchange({ operation: 'wci.status', status: 401, body: errorBody('INVALID_API_KEY'), enterprise, key });

test('a key that is refused between two requests that it is good for was not revoked', () => {
  const between = [read('other', 'other#1'), refuse('other', 'other#1'), read('other', 'other#1')] as const;
  expect(judgeLast(...between).violated).toEqual(['SHR-AUT-014']);
});

test('a key that is refused for good, another key, and a key of a check are none', () => {
  expect(judgeLast(read('other', 'other#1'), refuse('other', 'other#1')).violated).toEqual([]);
  const others = [read('other', 'other#1'), refuse('other', 'other#2'), read('other', 'other#1')] as const;
  expect(judgeLast(...others).violated).toEqual([]);
  const own = [read('state 3', 'state#1'), refuse('state 3', 'state#1'), read('state 3', 'state#1')] as const;
  expect(judgeLast(...own).violated).toEqual([]);
});

test('a key that was there before the run is good from its start, one that is issued in it may be heard of late', () => {
  expect(judgeLast(refuse('other', 'other#1'), read('other', 'other#1')).violated).toEqual(['SHR-AUT-014']);
  expect(judgeLast(refuse('other', 'issued-other#1'), read('other', 'issued-other#1')).violated).toEqual([]);
});

test('a key that is refused under another spelling of its header breaks the rule for that', () => {
  const spelled = { ...refuse('other', 'other#1') };
  const lower = { ...spelled, request: { ...spelled.request, headers: [['x-api-key', 'k']] as const } };
  const [before, after] = [read('other', 'other#1'), read('other', 'other#1')];
  expect(judgeLast(before, lower, after).violated).toEqual(['SHR-AUT-012']);
});
